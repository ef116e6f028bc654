import { themeCss } from '../../shared/rules/theme-css.ts'
import { DEEP_LINK_SCENES } from './deep-link-scenes.ts'
import { ENTITY_MODELS } from '../scenes/entity-models.ts'
import { SCRIPT_SCENES, fillCard } from './live-scenes.ts'
import { MODELS, model } from '../scenes/models.ts'
import type { Scene } from './scene.ts'
import { TASK_SCENES } from './task-scenes.ts'
import { OWED_MODELS } from '../scenes/owed-models.ts'
import { STRIPE_SCENES } from './stripe-scenes.ts'

const plain = model()
const branded = model({ logo: '/logo.svg', test_mode: false })
const receipt = MODELS['receipt'] ?? plain

/** Themes, some of them with poor choices. */
const THEMED_SCENES: Readonly<Record<string, Scene>> = {
  'themed-accent': { model: branded, css: themeCss({ accent: '#ffcc00', radius: '2px' }) },
  'themed-surface': {
    model: branded,
    css: themeCss({ accent: '#7c3aed', surface: '#1e1b2e', text: '#f4f0ff', radius: '18px' }),
    act: fillCard,
  },
  'themed-receipt': {
    model: { ...receipt, logo: '/logo.svg' },
    css: themeCss({ accent: '#d7263d', surface: '#fff8ee', text: '#3b1d0f' }),
  },
}

/** Embedded in a merchant's page. */
const FRAMED_SCENES: Readonly<Record<string, Scene>> = {
  'framed-inline': { model: plain, framed: 'inline' },
  'framed-overlay': { model: plain, framed: 'overlay' },
  'framed-receipt': { model: receipt, framed: 'inline' },
  'framed-presets': { model: MODELS['form-presets'] ?? plain, framed: 'inline' },
  'framed-quantity': { model: MODELS['form-quantity'] ?? plain, framed: 'overlay' },
}

/** By the name of the picture. */
export const SCENES: Readonly<Record<string, Scene>> = {
  ...Object.fromEntries(
    Object.entries({ ...MODELS, ...OWED_MODELS, ...ENTITY_MODELS }).map(([name, shown]) => [
      name,
      { model: shown },
    ]),
  ),
  ...SCRIPT_SCENES,
  ...THEMED_SCENES,
  ...STRIPE_SCENES,
  ...FRAMED_SCENES,
  ...TASK_SCENES,
  ...DEEP_LINK_SCENES,
}
