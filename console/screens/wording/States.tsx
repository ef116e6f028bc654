import type { SceneGroup, SceneName } from '../../../shared/preview-messages.ts'
import { Count } from '../../ui/Pill.tsx'
import { sceneLabel, t } from './wording-words.ts'

const GROUPS: readonly SceneGroup[] = ['form', 'wrong', 'paying', 'after', 'closed']

/** The states of the page by group, each with the number of its sentences and of the stale ones. */
export function States({
  scenes,
  places,
  stale,
  current,
  onChoose,
}: {
  scenes: readonly SceneName[]
  /** The names of the states that each id is in. */
  places: Readonly<Record<string, readonly string[]>>
  /** Ids. */
  stale: readonly string[]
  current: string
  onChoose: (scene: string) => void
}) {
  const counts = countScenes(Object.values(places))
  const staleCounts = countScenes(stale.map((id) => places[id] ?? []))
  return (
    <nav class="states" aria-label={t('states')}>
      {GROUPS.map((group) => (
        <section key={group}>
          <h2>{t(`group_${group}`)}</h2>
          <ul>
            {scenes
              .filter((scene) => scene.group === group)
              .map(({ name }) => {
                const count = counts.get(name)
                const staleCount = staleCounts.get(name)
                return (
                  <li key={name}>
                    <button
                      type="button"
                      aria-current={name === current ? 'true' : undefined}
                      onClick={() => onChoose(name)}
                    >
                      <span>{sceneLabel(name)}</span>
                      <span class="state-counts">
                        {staleCount !== undefined && (
                          <Dot label={t('count_stale', { count: staleCount })} />
                        )}
                        {count !== undefined && <Count value={count} />}
                      </span>
                    </button>
                  </li>
                )
              })}
          </ul>
        </section>
      ))}
    </nav>
  )
}

/** An amber dot; its label is read out. */
export function Dot({ label }: { label: string }) {
  return (
    <span class="stale-dot" title={label}>
      <span class="visually-hidden">{label}</span>
    </span>
  )
}

function countScenes(lists: readonly (readonly string[])[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const name of lists.flat()) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}
