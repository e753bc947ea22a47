// What holds for an authority in a daemon of its own and inside a relay: the host that clients sign, lengths of names, and what selling them needs.
import { hostOf } from './nameauth-values.js'
import { publicName, type SettingRule } from './reader.js'
import type { Setting } from './setting.js'

/** The settings of an authority, under the same keys in both tables. */
interface NameValues {
  readonly domain: string | undefined
  readonly baseUrl: string | undefined
  readonly nameMin: number
  readonly nameMax: number
  readonly payMode: 'off' | 'name' | 'write'
  readonly namePrice: string
  readonly writePrice: string
  readonly payUrl: string | undefined
  readonly payToken: unknown
}

type Some = Partial<NameValues>

/** What is written differently, and when an authority runs with these settings. */
interface NameRuleParts<Values> {
  /** The token with the names of its settings. */
  readonly payToken: string
  /** The setting of what is for sale, as it is written. */
  readonly saleOf: (mode: string | undefined) => string
  readonly isOn: (values: Partial<Values>) => boolean
}

export function nameRules<Values extends NameValues>(
  settings: Readonly<Record<keyof NameValues, Setting<unknown>>>,
  { payToken, saleOf, isOn }: NameRuleParts<Values>,
): readonly SettingRule<Values>[] {
  const nameOf = (key: keyof NameValues): string => publicName(settings[key])
  const sells = (values: Partial<Values>, mode: Some['payMode'] = values.payMode): boolean =>
    isOn(values) && values.payMode !== undefined && values.payMode !== 'off' && values.payMode === mode
  return [
    {
      setting: 'baseUrl',
      refusal: ({ baseUrl = '', domain }: Some) =>
        `${nameOf('baseUrl')} must have the host of ${nameOf('domain')}, "${domain}" (got "${hostOf(baseUrl)}")`,
      breaks(values) {
        const { baseUrl, domain }: Some = values
        return (
          isOn(values) && domain !== undefined && baseUrl?.startsWith('https:') === true && hostOf(baseUrl) !== domain
        )
      },
    },
    {
      setting: 'nameMin',
      refusal: `${nameOf('nameMin')} is more than ${nameOf('nameMax')}`,
      breaks: ({ nameMin, nameMax }: Some) => nameMin !== undefined && nameMax !== undefined && nameMin > nameMax,
    },
    {
      setting: 'namePrice',
      refusal: `${saleOf('name')} needs ${nameOf('namePrice')} above 0`,
      breaks: (values) => sells(values, 'name') && values.namePrice === '0',
    },
    {
      setting: 'writePrice',
      refusal: `${saleOf('write')} needs ${nameOf('writePrice')} above 0`,
      breaks: (values) => sells(values, 'write') && values.writePrice === '0',
    },
    {
      setting: 'payUrl',
      refusal: ({ payMode }: Some) => `${saleOf(payMode)} needs ${nameOf('payUrl')}, the address of the till`,
      breaks: (values) => sells(values) && 'payUrl' in values && values.payUrl === undefined,
    },
    {
      setting: 'payToken',
      refusal: ({ payMode }: Some) => `${saleOf(payMode)} needs ${payToken}`,
      breaks: (values) => sells(values) && 'payToken' in values && values.payToken === undefined,
    },
  ]
}
