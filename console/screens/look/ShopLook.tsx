import { InstanceForm } from '../settings/InstanceForm.tsx'
import { LookPreviews } from './LookPreviews.tsx'
import { ThemeFields } from './ThemeFields.tsx'

/** The look of the shop itself. */
export function ShopLook() {
  return (
    <InstanceForm beside={({ theme }) => <LookPreviews theme={theme ?? {}} />}>
      {({ theme }, change, disabled) => (
        <ThemeFields
          theme={theme ?? {}}
          disabled={disabled}
          onChange={(next) => change({ theme: next })}
        />
      )}
    </InstanceForm>
  )
}
