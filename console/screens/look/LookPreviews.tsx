import { schemesOf, type Theme } from '../../../shared/rules/palette.ts'
import { PagePreview } from '../../preview/PagePreview.tsx'
import { t } from './look-words.ts'

/** The payer's page in each color scheme that it has, side by side. */
export function LookPreviews({
  theme,
  merchant,
  branding,
}: {
  theme: Theme
  merchant?: string
  branding?: string
}) {
  return (
    <section class="look-previews" aria-label={t('preview')}>
      {schemesOf(theme).map((scheme) => (
        <PagePreview
          key={scheme}
          theme={theme}
          scheme={scheme}
          {...(merchant !== undefined && { merchant })}
          {...(branding !== undefined && { branding })}
        />
      ))}
    </section>
  )
}
