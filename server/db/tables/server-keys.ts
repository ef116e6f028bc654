/** Keys of the server, created with the database. */
export interface ServerKeysTable {
  name: string
  /** Random bytes, hex. */
  value: string
  created: string
}
