import type { ComponentChildren } from 'preact'
import './field.css'

/** Fields that belong together below their title; two columns where there is room. */
export function FieldGroup({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <fieldset class="field-group">
      <legend>{title}</legend>
      {children}
    </fieldset>
  )
}
