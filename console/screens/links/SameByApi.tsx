import { useInstance } from '../../address.ts'
import { Button } from '../../ui/Button.tsx'
import { copyText } from '../../ui/Details.tsx'
import { t } from './links-words.ts'

/** The request that saves the draft, to read and to copy. `path` is that of the API, such as `/deep_links`. */
export function SameByApi({
  method,
  path,
  body,
}: {
  method: 'POST' | 'PUT'
  path: string
  body: unknown
}) {
  const { api } = useInstance()
  return (
    <>
      <h3>{t('same_by_api')}</h3>
      <pre tabIndex={0}>{`${method} ${path}\n${JSON.stringify(body, null, 2)}`}</pre>
      <Button
        icon="copy"
        onClick={() => void copyText(curlOf(method, location.origin + api(path), body))}
      >
        {t('copy_request')}
      </Button>
    </>
  )
}

const curlOf = (method: string, url: string, body: unknown): string =>
  `curl -X ${method} ${url} \\\n  -u "$SECRET_KEY:" \\\n  -H 'Content-Type: application/json' \\\n  -d '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`
