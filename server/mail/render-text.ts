import type { MailContent, MailFrame } from './content/content.ts'
import { isolate, oneLine, type MailWording } from './wording.ts'

/** Returns a mail as plain text, for programs that show no HTML. */
export function renderText(
  { t, merchant, direction }: MailWording,
  content: MailContent,
  { isTest, imprint }: MailFrame,
): string {
  const { title, amount, paragraphs, rows = [], action, unsubscribe } = content
  const details = rows.map(
    ([label, value]) => `${oneLine(label)}: ${isolate(oneLine(value), direction)}`,
  )
  return [
    ...(isTest ? [t('email.test_mode')] : []),
    title,
    ...(amount === undefined ? [] : [amount]),
    ...paragraphs,
    ...(details.length === 0 ? [] : [details.join('\n')]),
    ...(action === undefined ? [] : [`${action.label}:\n${action.url}`]),
    [
      '-- ',
      ...imprint.map((line) => isolate(oneLine(line), direction)),
      t('email.sent_for', { merchant }),
    ].join('\n'),
    ...(unsubscribe === undefined ? [] : [`${t('email.notices_refuse')}:\n${unsubscribe}`]),
  ].join('\n\n')
}
