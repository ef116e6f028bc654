import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { PaymentLinkOptions } from '../../../shared/schemas/payment-link.ts'
import { useInstance } from '../../address.ts'
import { useAction } from '../../api/action.ts'
import { request } from '../../api/request.ts'
import { invalidate } from '../../api/resource.ts'
import { PagePreview } from '../../preview/PagePreview.tsx'
import { Button } from '../../ui/Button.tsx'
import { copyText } from '../../ui/Details.tsx'
import { Banner, errorTitle } from '../../ui/States.tsx'
import { ScreenHead } from '../../ui/Tabs.tsx'
import { toast } from '../../ui/toast.ts'
import { Afterwards } from './Afterwards.tsx'
import { CanBePaid } from './CanBePaid.tsx'
import { DraftChecks } from './DraftChecks.tsx'
import {
  deepLinkRequest,
  draftProblems,
  type LinkDraft,
  linkRequest,
  previewOf,
} from './link-draft.ts'
import { t } from './links-words.ts'
import { MoreOptions } from './MoreOptions.tsx'
import { SameByApi } from './SameByApi.tsx'
import { SavingTheMethod } from './SavingTheMethod.tsx'
import { forgetDraft, storeDraft } from './stored-draft.ts'
import { WhatIsPaid } from './WhatIsPaid.tsx'
import { WhoPays } from './WhoPays.tsx'
import './links.css'

type Saved = Record<'payment_link' | 'deep_link', { id: string; url: string } | undefined>

/** A link as it is typed, beside the page that its payers see. */
export function LinkEditor({
  start,
  kept = false,
  edited,
  again,
}: {
  start: LinkDraft
  /** The draft stays in this browser until it is created or discarded. */
  kept?: boolean
  /** The link that is changed; undefined for a new one. */
  edited?: { id: string; v: number; options: PaymentLinkOptions }
  /** Begins again with the newest version of the edited link. */
  again?: () => void
}) {
  const instance = useInstance()
  const { route } = useLocation()
  const [draft, setDraft] = useState(start)
  const set = (change: Partial<LinkDraft>) => setDraft({ ...draft, ...change })
  const problems = draftProblems(draft, Date.now())
  const isNew = edited === undefined
  const isMany = draft.uses === 'many'
  const body = (isMany ? deepLinkRequest : linkRequest)(draft, edited?.options)
  const list = isMany ? '/deep_links' : '/payment_links'
  const screen = (id: string) => instance.screen(isMany ? `/links/deep/${id}` : `/links/${id}`)
  useEffect(() => {
    if (kept) storeDraft(instance.key, draft)
  }, [draft])
  const save = useAction(async (key) => {
    const answer = await request<Saved>(
      isNew ? 'POST' : 'PUT',
      instance.api(isNew ? list : `${list}/${edited.id}`),
      isNew ? { body, key } : { body: { mode: 'REPLACE', ...body }, key, ifMatch: edited.v },
    )
    const { id = '', url = '' } = answer.deep_link ?? answer.payment_link ?? {}
    if (kept) forgetDraft(instance.key)
    invalidate((path) => path.startsWith(instance.api(list)))
    if (isNew) toast((await copyText(url)) ? t('created_toast') : t('created_toast_plain'))
    else toast(t('saved_toast'))
    route(screen(id))
  })
  const valid = Object.keys(problems).length === 0
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key === 'Enter' && valid) void save.run()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
  const leave = () => {
    if (kept) forgetDraft(instance.key)
    route(isNew ? instance.screen(isMany ? '/links/deep' : '/links') : screen(edited.id))
  }
  const part = { draft, set, problems }
  return (
    <div class="link-editor">
      <ScreenHead
        title={draft.name || t(isNew ? 'new_title' : 'edit_title')}
        back={
          isMany
            ? { label: t('deep_title'), href: instance.screen('/links/deep') }
            : { label: t('title'), href: instance.screen('/links') }
        }
      >
        {kept && <span class="muted">{t('draft_kept')}</span>}
        <Button kind="plain" onClick={leave}>
          {t('discard')}
        </Button>
        <Button
          kind="primary"
          keys="⌘↵"
          busy={save.busy}
          disabled={!valid}
          onClick={() => void save.run()}
        >
          {t(isNew ? 'create' : 'save_changes')}
        </Button>
      </ScreenHead>
      {save.error && (
        <div class="editor-error" role="alert">
          <Banner tone="bad">
            <b>{save.error.status === 409 ? t('changed_elsewhere') : errorTitle(save.error)}</b>{' '}
            {save.error.status !== 409 && save.error.message}
            {save.error.status === 409 && again && (
              <Button kind="plain" onClick={again}>
                {t('changed_reload')}
              </Button>
            )}
          </Banner>
        </div>
      )}
      <div class="editor-columns">
        <form class="editor-form" onSubmit={(event) => event.preventDefault()}>
          <WhatIsPaid {...part} />
          <CanBePaid {...part} isNew={isNew} />
          <WhoPays {...part} />
          <Afterwards {...part} />
          <SavingTheMethod {...part} />
          <MoreOptions {...part} />
        </form>
        <aside class="editor-aside">
          <PagePreview link={previewOf(draft, instance.name)} currency={draft.currency} />
          <DraftChecks {...part} />
          <SameByApi
            method={isNew ? 'POST' : 'PUT'}
            path={isNew ? list : `${list}/${edited.id}`}
            body={body}
          />
        </aside>
      </div>
    </div>
  )
}
