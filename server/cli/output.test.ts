import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { print, printList } from './output.ts'

const log = vi.spyOn(console, 'log').mockImplementation(() => {})
afterEach(() => log.mockClear())

const printed = () => log.mock.calls.map(([line]) => line as string).join('\n')
const ROWS = [
  {
    name: 'Café 株式会社',
    last_used: null,
    public: true,
    redirect_urls: ['https://a', 'https://b'],
  },
  { name: 'A', last_used: '2030-05-01T12:00:00.000Z', public: false, redirect_urls: [] },
]

it('prints a list to people as a table whose columns stand below each other', () => {
  printList('clients', ROWS, false)
  expect(printed().split('\n')).toEqual([
    'NAME            LAST USED                  PUBLIC   REDIRECT URLS',
    'Café 株式会社   -                          yes      https://a',
    '                                                    https://b',
    'A               2030-05-01T12:00:00.000Z   no',
  ])
})

it('prints a list that is wider than the terminal as lines of each row', () => {
  Object.assign(process.stdout, { columns: 40 })
  onTestFinished(() => void Object.assign(process.stdout, { columns: undefined }))
  printList('clients', ROWS, false)
  expect(printed().split('\n')).toEqual([
    'NAME            Café 株式会社',
    'LAST USED       -',
    'PUBLIC          yes',
    'REDIRECT URLS   https://a, https://b',
    '',
    'NAME            A',
    'LAST USED       2030-05-01T12:00:00.000Z',
    'PUBLIC          no',
    'REDIRECT URLS',
  ])
})

it('prints the lists within a record to people without brackets', () => {
  print({ applied: [], on_hold: ['cg_1', 'cg_2'], bytes: 7 }, false)
  expect(printed().split('\n')).toEqual(['applied: none', 'on_hold: cg_1, cg_2', 'bytes: 7'])
})

it('prints a list to programs as one line of JSON', () => {
  printList('clients', ROWS, true)
  expect(JSON.parse(printed())).toEqual({ clients: ROWS })
})

it('says that a list is empty', () => {
  printList('keys', [], false)
  expect(printed()).toBe('keys: none')
})

it('prints no control character of a name', () => {
  printList('instances', [{ name: 'a\u001B[2Jb' }], false)
  print({ name: 'a\u001B[2Jb' }, true)
  print({ name: 'a\u001B[2Jb' }, false)
  expect(printed()).not.toContain('\u001B')
})
