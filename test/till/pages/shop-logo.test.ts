import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { loadPayConfig, openEnvironment } from '../../../src/config/index.js'
import { readShop } from '../../../src/daemons/parts/pay/shop.js'
import { MAX_LOGO_BYTES, readShopLogo } from '../../../src/till/pages/shop-logo.js'

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1]
const svg = (inside: string, attributes = ''): Uint8Array =>
  Buffer.from(
    `<?xml version="1.0"?>\n<!-- made by hand -->\n<svg xmlns="http://www.w3.org/2000/svg"${attributes}>${inside}</svg>`,
  )

test.each([
  ['image/png', new Uint8Array(PNG)],
  ['image/jpeg', new Uint8Array([0xff, 0xd8, 0xff, 0xe0])],
  ['image/webp', Buffer.from('RIFF0000WEBPVP8 ')],
  ['image/svg+xml', svg('<defs><linearGradient id="a"/></defs><path fill="url(#a)" d="M0 0"/><use href="#b"/>')],
])('%s is embedded', (type, bytes) => {
  expect(readShopLogo(bytes)).toBe(`data:${type};base64,${Buffer.from(bytes).toString('base64')}`)
})

test.each([
  '<!DOCTYPE svg>',
  '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">',
  '<!DOCTYPE svg SYSTEM "svg11.dtd">\n<!-- made by a drawing program -->',
])('an SVG with %s is embedded without it: no page names a document elsewhere', (doctype) => {
  const logo = readShopLogo(Buffer.from(`<?xml version="1.0"?>\n${doctype}\n<svg><path d="M0 0"/></svg>`))
  const shown = Buffer.from(logo.split(',')[1] ?? '', 'base64').toString()
  expect(shown).toMatch(/^<\?xml version="1.0"\?>\s*<svg><path d="M0 0"\/><\/svg>$/)
})

describe('an SVG that could run or load anything is refused', () => {
  test.each([
    ['a script', svg('<script>alert(1)</script>')],
    ['a script', svg('<svg:script/>')],
    ['a script', svg('<a href="#"><text>javascript:1</text></a>')],
    ['an event handler', svg('', ' onload="alert(1)"')],
    ['an event handler', svg('<path\nONCLICK = "x"/>')],
    ['holds or changes', svg('<foreignObject><p/></foreignObject>')],
    ['holds or changes', svg('<image href="#x"/>')],
    ['holds or changes', svg('<set attributeName="href" to="x"/>')],
    ['a link', svg('<use xlink:href="https://evil.example/a.svg#b"/>')],
    ['a link', svg("<a href='data:text/html,x'>x</a>")],
    ['a link', svg('<a href="&#106;avascript:1">x</a>')],
    ['an address', svg('<path fill="url(https://evil.example)"/>')],
    ['a style sheet', svg('<style>@import "x"</style>')],
    ['a backslash', svg('<style>p{fill:\\75rl(x)}</style>')],
    ['a DOCTYPE', Buffer.from('<svg><!DOCTYPE x [<!ENTITY a "b">]></svg>')],
    ['a DOCTYPE that declares', Buffer.from('<!DOCTYPE svg [<!ENTITY a "b">]>\n<svg>&a;</svg>')],
    ['a DOCTYPE that declares', Buffer.from('<!DOCTYPE html>\n<svg></svg>')],
  ])('with %s', (why, bytes) => {
    expect(() => readShopLogo(bytes)).toThrow(why)
  })
})

test.each([
  ['is no PNG', Buffer.from('<html><svg></svg></html>')],
  ['is no PNG', Buffer.from('GIF89a')],
  ['is no PNG', Buffer.from([0xfe, 0xff, 0x00, 0x3c])],
  ['is no PNG', new Uint8Array()],
  ['49 KiB: it may have 48 KiB', new Uint8Array(MAX_LOGO_BYTES + 1)],
])('a file that %s is refused', (why, bytes) => {
  expect(() => readShopLogo(bytes)).toThrow(why)
})

describe('the shop of the settings', () => {
  const load = (variables: Record<string, string>) => readShop(loadPayConfig(openEnvironment({ variables })))
  function file(bytes: Uint8Array): string {
    const folder = mkdtempSync(join(tmpdir(), 'grinpay-logo-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'logo'), bytes)
    return join(folder, 'logo')
  }

  test('is name, address and the embedded logo; nothing of it is needed', () => {
    expect(load({})).toEqual({})
    const set = {
      PAY_SHOP_NAME: 'Bean & Leaf',
      PAY_SHOP_URL: 'https://shop.example/',
      PAY_SHOP_LOGO: file(new Uint8Array(PNG)),
    }
    expect(load(set)).toEqual({
      name: 'Bean & Leaf',
      url: 'https://shop.example',
      logo: expect.stringMatching(/^data:image\/png;base64,/),
    })
  })

  test.each([
    [{ PAY_SHOP_NAME: 'x'.repeat(61) }, 'PAY_SHOP_NAME must be at most 60 characters'],
    [{ PAY_SHOP_NAME: 'a\u202eb' }, 'PAY_SHOP_NAME must be'],
    [{ PAY_SHOP_URL: 'javascript:alert(1)' }, 'PAY_SHOP_URL must begin with http:// or https://'],
    [{ PAY_SHOP_LOGO: '/nowhere/logo.png' }, 'PAY_SHOP_LOGO cannot be read'],
  ])('%j is refused', (variables, why) => {
    expect(() => load(variables)).toThrow(why)
  })

  test('a logo that pages must not hold keeps the till from starting', () => {
    expect(() => load({ PAY_SHOP_LOGO: file(svg('<script/>')) })).toThrow('PAY_SHOP_LOGO is an SVG with a script')
  })
})
