import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import type { OfferedMethod, SavedMethod } from '../../../../shared/page-model.ts'
import { Field } from '../../../ui/Field.tsx'
import { WarningIcon } from '../../../ui/icons.tsx'
import { inputId } from '../../fields.ts'
import { afterPress } from '../../form-field/FormField.tsx'
import { usePage } from '../../page-context.ts'
import type { StringId } from '../../translator.ts'
import { brandName } from '../brands.ts'
import { Brands } from '../CardFields.tsx'
import type { FramedName } from './field-errors.ts'
import {
  brand,
  checkFields,
  clearCodes,
  focusField,
  mountFields,
  phase,
  waiting,
} from './fields.ts'

const CARD: readonly FramedName[] = ['number', 'expiry', 'csc']
const CODE: readonly FramedName[] = ['saved_csc']

/** Number, expiry date and security code of a new card, entered in frames of the processor. */
export function FramedCard({ offered }: { offered: OfferedMethod }) {
  const { t } = usePage()
  const known = brand.value === '' ? [] : [brand.value]
  return (
    <Frames processor={offered.processor} names={CARD}>
      <FrameField name="number" label="card.number" mark={<Brands known={known} />} />
      {brand.value !== '' && (
        <span class="visually-hidden">
          {t('card.brand', { brand: brandName(brand.value) ?? brand.value })}
        </span>
      )}
      <div class="pair">
        <FrameField name="expiry" label="card.expiry" />
        <FrameField name="csc" label="card.code" hint={codeHint(brand.value)} />
      </div>
    </Frames>
  )
}

/** The security code of a saved card, entered in a frame of the processor. */
export function FramedCode({ saved }: { saved: SavedMethod }) {
  return (
    <Frames processor={saved.processor ?? ''} names={CODE} cardBrand={saved.brand ?? ''}>
      <div class="pair">
        <FrameField name="saved_csc" label="card.code" hint={codeHint(saved.brand)} />
      </div>
    </Frames>
  )
}

const codeHint = (of: string | null): StringId =>
  of === 'amex' ? 'card.code_front' : 'card.code_back'

interface FramesProps {
  processor: string
  names: readonly FramedName[]
  /** Of a saved card. */
  cardBrand?: string
  children: ComponentChildren
}

/** Boxes with the fields of the processor in them, or the reason why they are missing. */
function Frames({ processor, names, cardBrand = '', children }: FramesProps) {
  const { checkout, form, language, t } = usePage()
  const framed = checkout.model.processors?.[processor]
  const tries = useSignal(0)
  const wasUsed = useRef(false)
  const resets = checkout.cvcResets.value

  useEffect(() => {
    if (wasUsed.current) checkout.notice.value = { tone: 'news', id: 'methods.fields_lost' }
    const unmount = mountFields({
      processor: framed,
      language,
      boxes: names.flatMap((name) => {
        const box = document.getElementById(inputId(name))
        return box ? [[name, box] as const] : []
      }),
      placeholders: { number: t('card.number_example'), expiry: t('card.expiry_example') },
      setTimer: checkout.flow.setTimer,
      isDisabled: () => checkout.step.value !== 'form',
      onInput(name) {
        form.touched.value = true
        checkout.milestones.method_chosen ??= checkout.flow.now()
        form.setError(name, undefined)
      },
      onBlur: (name) =>
        afterPress(document, () => {
          const error = checkFields()[name]
          // An empty field is reported only at a submit.
          const isMissing = error?.id.endsWith('_missing')
          if (!checkout.lacksStrings() && !isMissing) form.setError(name, error)
        }),
    })
    brand.value = cardBrand
    return () => {
      wasUsed.current = unmount()
    }
  }, [framed, language, tries.value])

  useEffect(() => {
    if (resets > 0) clearCodes()
  }, [resets])

  useEffect(() => {
    if (waiting.value) checkout.announcement.value = { id: 'status.loading_fields' }
  }, [waiting.value])

  const isBlocked = phase.value === 'BLOCKED'
  return (
    <div class="card-fields" onClick={focusLabelled}>
      <div role="alert">{isBlocked && <Blocked name={names[0] ?? 'number'} again={again} />}</div>
      {!isBlocked && children}
      {waiting.value && <p class="hint">{t('status.loading_fields')}</p>}
    </div>
  )

  function again(): void {
    // Only a new document has the policy that the processor needs.
    if (!framed) return location.reload()
    for (const name of names) form.setError(name, undefined)
    phase.value = 'LOADING'
    tries.value += 1
  }
}

/** A label focuses an input by itself, but not a frame. */
function focusLabelled({ target }: Event): void {
  const label = (target as Element).closest('label')
  if (label) document.getElementById(label.htmlFor)?.focus()
}

function Blocked({ name, again }: { name: FramedName; again: () => void }) {
  const { checkout, form, t } = usePage()
  const isOnly = form.choices.value.length === 1
  return (
    <div class="notice problem framed-blocked" id={inputId(name)} tabIndex={-1}>
      <WarningIcon />
      <div>
        <p>{t('methods.fields_blocked')}</p>
        <button type="button" onClick={again}>
          {t('methods.fields_retry')}
        </button>
        {checkout.framed && isOnly && (
          <a href={location.pathname} target="_blank" rel="noopener">
            {t('methods.fields_window')}
          </a>
        )}
      </div>
    </div>
  )
}

interface FrameFieldProps {
  name: FramedName
  label: StringId
  hint?: StringId
  mark?: ComponentChildren
}

/** A label and the box of a frame. The box hands on the focus that the page gives to its field. */
function FrameField({ name, label, hint, mark }: FrameFieldProps) {
  const { form, t } = usePage()
  const id = inputId(name)
  const error = form.errors.value[name]
  const box = (
    <div
      class="framed"
      id={id}
      role="group"
      tabIndex={-1}
      aria-label={t(label)}
      aria-describedby={`${id}-error ${id}-hint`}
      aria-busy={phase.value === 'LOADING'}
      data-invalid={error && 'true'}
      onFocus={() => focusField(name)}
    />
  )
  return (
    <Field
      id={id}
      label={t(label)}
      control={box}
      mark={mark}
      error={error && t(error)}
      hint={hint && t(hint)}
    />
  )
}
