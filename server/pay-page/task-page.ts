import type { TaskPageModel } from '../../shared/page-model.ts'
import { withClockOf } from '../clock.ts'
import { savableMethods } from '../deep-link-tasks/savable-methods.ts'
import {
  getTaskLink,
  isReturnFromBank,
  isTaskOver,
  isWithdrawn,
  taskBranding,
} from '../deep-link-tasks/session.ts'
import { fromJson } from '../db/json.ts'
import { parseOptions } from '../deep-links/validate.ts'
import type { Deps } from '../deps.ts'
import { nameOf } from '../instances/brandings.ts'
import { legalNames } from '../legal-entities/content.ts'
import type { PageFields, Processor } from '../processors/port.ts'
import { getBundle, getStrings } from '../strings/bundle.ts'
import {
  chooseLanguage,
  getOfferedLanguages,
  type LanguagePreferences,
} from '../strings/languages.ts'
import { nameInStrings } from '../strings/named-bundle.ts'
import { type FirstView, framedProcessors } from './page-model.ts'
import { taskStrings } from './task-strings.ts'
import { pageTheme } from './theme.ts'
import { unavailablePage } from './unavailable-page.ts'

/**
 * Builds the page of a customer's task. It shows nothing of the customer, which only the session does, and
 * writes nothing. With the `handle` of a set-up, by which a bank returns the customer, it has the outcome
 * also after the last use of the link. Throws 404 for a link that is none to a task.
 */
export async function buildTaskView(
  deps: Deps,
  id: string,
  { handle, preferences }: { handle: string | undefined; preferences: LanguagePreferences },
): Promise<FirstView> {
  const task = await getTaskLink(deps, id)
  const { link, instance, account } = task
  const languages = await getOfferedLanguages(deps, instance)
  const language = chooseLanguage({ ...preferences, account: account?.locale }, languages)
  const branding = taskBranding(task)
  const scope = { language, branding }
  const bundle = await getBundle(deps, instance, scope)
  // No payment is made here, so there is no legal entity that is paid.
  const names = legalNames(undefined, nameOf(instance, ''))
  const strings = taskStrings(nameInStrings(await getStrings(deps, instance, scope), names))
  const theme = () => pageTheme(instance, branding)
  const isReturn = handle !== undefined && (await isReturnFromBank(deps, task, handle))
  const isOver = isReturn
    ? isWithdrawn(task)
    : withClockOf(instance, () => isTaskOver(task, deps.now()))
  const processors = isOver ? [] : await deps.processors.ofInstance(instance)
  const methods = savableMethods(processors, instance)
  const framing = processors.filter(
    (processor): processor is Processor & { page: PageFields } =>
      processor.page !== undefined && methods.some((method) => method.processor === processor.id),
  )
  const allow = fromJson<string[]>(link.allow) ?? []
  const isForm = link.action === 'ADD_PAYMENT_METHOD'
  return {
    status: isOver ? 410 : 200,
    theme,
    strings,
    policies: () => framing.map(({ page }) => page.policy),
    model(): TaskPageModel {
      const base = unavailablePage({ ...bundle, strings }, nameOf(instance, branding))
      return {
        ...base,
        view: isOver ? 'UNAVAILABLE' : 'FORM',
        logo: theme().logo,
        test_mode: instance.mode === 'TEST',
        ...(framing.length > 0 && { processors: framedProcessors(framing) }),
        checkout: {
          ...base.checkout,
          status: 'OPEN',
          timezone: parseOptions(link).timezone ?? account?.timezone ?? instance.timezone,
          methods: isForm || allow.includes('PAYMENT_METHOD') ? methods : [],
        },
        task_link: link.id,
        task_action: link.action,
      }
    },
  }
}
