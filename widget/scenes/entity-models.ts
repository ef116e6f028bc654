import type { CheckoutView, PageModel } from '../../shared/page-model.ts'
import { model, result } from './models.ts'

/** Pages that say who is paid. */

type Entity = NonNullable<CheckoutView['legal_entity']>

const NORD: Entity = {
  legal_name: 'Atelier Nord SAS',
  address: ['12 rue des Lilas', '69003 Lyon', 'France'],
  registration: 'RCS Lyon, 303 265 045',
  tax_ids: [{ type: 'VAT', value: 'FR40303265045' }],
  email: 'hello@nord.example',
  phone: '+33 1 23 45 67 89',
  url: 'https://nord.example/legal',
  terms_url: 'https://nord.example/terms',
  privacy_url: 'https://nord.example/privacy',
  receipt_footer:
    'Goods may be returned within 30 days of delivery.\nThank you for buying from us.',
}

/** What a person without a register, a website or a phone has. */
const PERSON: Entity = {
  legal_name: 'Amina Okafor',
  address: ['12 rue des Lilas', '69003 Lyon', 'France'],
  registration: null,
  tax_ids: [],
  email: null,
  phone: null,
  url: null,
  terms_url: null,
  privacy_url: null,
  receipt_footer: null,
}

const LONG: Entity = {
  ...NORD,
  legal_name:
    'Gesellschaft für Veranstaltungstechnikvermietung und Bühnenbau mit beschränkter Haftung & Co. KG',
  address: ['Donaudampfschifffahrtsgesellschaftsstraße 117', '94032 Passau', 'Deutschland'],
  registration: 'Amtsgericht Passau, Registergericht, HRA 12345',
  tax_ids: [
    { type: 'VAT', value: 'DE123456789' },
    { type: 'OTHER', value: '153/123/12345' },
  ],
  receipt_footer: 'Lieferung ausgeschlossen. '.repeat(30).trim(),
}

const paid = { status: 'COMPLETED', result: result() } as const

export const ENTITY_MODELS: Readonly<Record<string, PageModel>> = {
  'form-entity': model({}, { legal_entity: NORD }),
  'form-entity-person': model({ test_mode: false }, { legal_entity: PERSON }),
  'receipt-entity': model({ view: 'RESULT' }, { ...paid, legal_entity: NORD }),
  'receipt-entity-long': model({ view: 'RESULT' }, { ...paid, legal_entity: LONG }),
  'pending-entity': model(
    { view: 'RESULT' },
    {
      status: 'PENDING',
      result: result({ outcome: 'PENDING', message_id: 'receipt.pending' }),
      legal_entity: NORD,
    },
  ),
}
