import { useEffect, useMemo, useState } from 'preact/hooks'
import { encode } from 'uqr'
import type { Enrolled } from '../../../shared/schemas/user-factors.ts'
import { useAction } from '../../api/action.ts'
import { request, type RequestError } from '../../api/request.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { CopyText } from '../../ui/Details.tsx'
import { TextField } from '../../ui/Field.tsx'
import { Banner, explainError, Skeleton } from '../../ui/States.tsx'
import { t } from './factors-words.ts'

const PATH = '/console/factors/totp'

/** Shows the key for an authenticator app, and takes the first digits that it shows. */
export function AddApp({
  isFirst,
  onClose,
  onDone,
}: {
  /** The user has no second factor yet. */
  isFirst: boolean
  onClose: () => void
  onDone: (enrolled: Enrolled) => void
}) {
  const [totp, setTotp] = useState<{ secret: string; uri: string }>()
  const [code, setCode] = useState('')
  const start = useAction(async (key) => {
    setTotp((await request<{ totp: { secret: string; uri: string } }>('POST', PATH, { key })).totp)
  })
  useEffect(() => void start.run(), [])
  const confirm = useAction(async (key) => {
    const body = { totp: { code } }
    onDone(await request<Enrolled>('POST', `${PATH}/confirm`, { key, body }))
  })
  return (
    <ConfirmDialog
      title={t('app_new_title')}
      label={t('add_app')}
      kind="primary"
      action={{ ...confirm, error: start.error ?? confirm.error }}
      explain={explain}
      disabled={!totp || code.replace(/\s/g, '').length !== 6}
      onClose={onClose}
      keep
      isForm
    >
      {!totp && !start.error && <Skeleton rows={4} />}
      {totp && (
        <>
          {isFirst && <Banner tone="news">{t('basic_ends')}</Banner>}
          <p>{t('app_scan')}</p>
          <QrCode text={totp.uri} />
          <div>
            <p class="muted">{t('app_manual')}</p>
            <CopyText text={totp.secret} />
          </div>
          <TextField
            label={t('app_code')}
            inputMode="numeric"
            autocomplete="one-time-code"
            autofocus
            dir="ltr"
            maxLength={11}
            value={code}
            onInput={setCode}
          />
        </>
      )}
    </ConfirmDialog>
  )
}

function explain(error: RequestError): string {
  return error.message.startsWith('totp.code') ? t('app_code_wrong') : explainError(error)
}

/** Black on white in both schemes, because scanners expect it. */
function QrCode({ text }: { text: string }) {
  const { size, data } = useMemo(() => encode(text, { border: 2 }), [text])
  const path = data
    .flatMap((row, y) => row.flatMap((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : [])))
    .join('')
  return (
    <svg
      class="qr"
      role="img"
      aria-label={t('app_qr')}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#000" d={path} />
    </svg>
  )
}
