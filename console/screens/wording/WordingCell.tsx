import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { wordingProblem } from '../../../shared/rules/wording-problem.ts'
import type { Strings } from '../../../shared/rules/wording.ts'
import { problemText } from './wording-words.ts'

/** A text of the table, which is edited in its place. */
export function WordingCell({
  name,
  id,
  text,
  language,
  base,
  isActive,
  isEdited,
  isWritable,
  isOwn,
  onFocus,
  onEdit,
  onLeave,
  onText,
  children,
}: {
  /** Its row and its column, by which it is found. */
  name: string
  id: string
  /** Undefined where the language has no such plural form. */
  text: string | undefined
  language: string
  base: Strings
  isActive: boolean
  isEdited: boolean
  isWritable: boolean
  isOwn: boolean
  onFocus: () => void
  onEdit: () => void
  /** Ends the editing; moves by so many rows and columns. */
  onLeave: (by: { row: number; column: number } | undefined) => void
  onText: (text: string) => void
  /** Marks beside the text. */
  children: ComponentChildren
}) {
  if (text !== undefined && isEdited) {
    return (
      <td data-cell={name} dir="auto" lang={language} class="edited">
        <CellEditor id={id} text={text} base={base} onText={onText} onLeave={onLeave} />
      </td>
    )
  }
  return (
    <td
      data-cell={name}
      dir="auto"
      lang={language}
      class={isOwn ? 'own' : ''}
      tabIndex={isActive ? 0 : -1}
      aria-readonly={!isWritable || text === undefined}
      onFocus={onFocus}
      onClick={() => text !== undefined && getSelection()?.isCollapsed !== false && onEdit()}
    >
      {text} {children}
    </td>
  )
}

function CellEditor({
  id,
  text,
  base,
  onText,
  onLeave,
}: {
  id: string
  text: string
  base: Strings
  onText: (text: string) => void
  onLeave: (by: { row: number; column: number } | undefined) => void
}) {
  const [typed, setTyped] = useState(text)
  const field = useRef<HTMLTextAreaElement>(null)
  const problem = wordingProblem(base, id, typed)
  useEffect(() => field.current?.focus(), [])
  const isLeft = useRef(false)

  function leave(isKept: boolean, by: { row: number; column: number } | undefined): void {
    // The field that goes away loses the focus, too.
    if (isLeft.current) return
    isLeft.current = true
    if (isKept && typed !== text) onText(typed)
    onLeave(by)
  }

  function press(event: KeyboardEvent): void {
    event.stopPropagation()
    const isDone = event.key === 'Tab' || (event.key === 'Enter' && !event.shiftKey)
    if (!isDone && event.key !== 'Escape') return
    event.preventDefault()
    const column = event.key !== 'Tab' ? 0 : event.shiftKey ? -1 : 1
    leave(isDone, { row: event.key === 'Enter' ? 1 : 0, column: isDone ? column : 0 })
  }

  return (
    <>
      <textarea
        ref={field}
        aria-label={id}
        aria-invalid={problem !== null}
        rows={Math.min(6, 1 + Math.ceil(typed.length / 40))}
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        onKeyDown={press}
        onBlur={() => leave(true, undefined)}
      />
      {problem && (
        <p class="field-error" role="alert">
          {problemText(problem)}
        </p>
      )}
    </>
  )
}
