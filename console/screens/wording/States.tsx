import type { SceneGroup, SceneName } from '../../../shared/preview-messages.ts'
import { Count } from '../../ui/Pill.tsx'
import { sceneLabel, t } from './wording-words.ts'

const GROUPS: readonly SceneGroup[] = ['form', 'wrong', 'paying', 'after', 'closed']

/** The states of the page by group, each with the number of its sentences. */
export function States({
  scenes,
  counts,
  current,
  onChoose,
}: {
  scenes: readonly SceneName[]
  counts: Readonly<Record<string, number>>
  current: string
  onChoose: (scene: string) => void
}) {
  return (
    <nav class="states" aria-label={t('states')}>
      {GROUPS.map((group) => (
        <section key={group}>
          <h2>{t(`group_${group}`)}</h2>
          <ul>
            {scenes
              .filter((scene) => scene.group === group)
              .map(({ name }) => (
                <li key={name}>
                  <button
                    type="button"
                    aria-current={name === current ? 'true' : undefined}
                    onClick={() => onChoose(name)}
                  >
                    <span>{sceneLabel(name)}</span>
                    {counts[name] !== undefined && <Count value={counts[name]} />}
                  </button>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </nav>
  )
}
