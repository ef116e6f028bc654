import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type {
  FromPreview,
  PlacedSentence,
  PreviewDrawing,
  SceneName,
  SentenceFit,
  ToPreview,
} from '../../shared/preview-messages.ts'
import './preview.css'
import { t } from './preview-words.ts'

export interface PreviewEvents {
  onReady?: (scenes: SceneName[]) => void
  onDrawn?: (sentences: PlacedSentence[], fit: SentenceFit | null) => void
  onChosen?: (id: string) => void
  /** The names of the scenes that each id is in. */
  onFound?: (scenes: Readonly<Record<string, readonly string[]>>) => void
}

const NONE: readonly string[] = []

/** The payer's own page in a frame that can call nothing. It draws anew whenever `drawing` changes. */
export function Preview({
  drawing,
  device,
  ids = NONE,
  ...events
}: PreviewEvents & {
  drawing: PreviewDrawing
  device: 'phone' | 'desktop'
  /** The ids that are looked for in all scenes. */
  ids?: readonly string[]
}) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [ready, setReady] = useState(false)
  const [title, setTitle] = useState('')
  const listeners = useRef(events)
  listeners.current = events

  // Delivered at once. What is posted waits for the next painting, which a key press makes noticeable.
  const tell = (data: ToPreview) =>
    frame.current?.contentWindow?.dispatchEvent(
      new MessageEvent('message', { data, source: window, origin: location.origin }),
    )

  useEffect(() => {
    const hear = ({ source, origin, data }: MessageEvent<FromPreview>) => {
      if (source !== frame.current?.contentWindow || origin !== location.origin) return
      if (data.type === 'ready') {
        setReady(true)
        listeners.current.onReady?.(data.scenes)
      } else if (data.type === 'drawn') {
        setTitle(data.title)
        listeners.current.onDrawn?.(data.sentences, data.fit)
      } else if (data.type === 'chosen') listeners.current.onChosen?.(data.id)
      else if (data.type === 'found') listeners.current.onFound?.(data.scenes)
    }
    addEventListener('message', hear)
    return () => removeEventListener('message', hear)
  }, [])

  // Before the console itself is painted, so that both show the same at once.
  useLayoutEffect(() => {
    if (ready) tell({ type: 'draw', drawing })
  }, [ready, drawing])

  useEffect(() => {
    if (!ready || ids.length === 0) return undefined
    const idle = setTimeout(() => tell({ type: 'find', ids }), 300)
    return () => clearTimeout(idle)
  }, [ready, ids])

  return (
    <div class={`preview ${device}`}>
      <p class="preview-title">{title}</p>
      <iframe
        ref={frame}
        src="/console/preview"
        title={t('preview_title')}
        sandbox="allow-scripts allow-same-origin"
      />
    </div>
  )
}
