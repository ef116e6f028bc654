export interface UserPreferencesTable {
  user_id: string
  /** JSON object of what the user has changed; members that are missing have their default. */
  preferences: string
  updated: string
}
