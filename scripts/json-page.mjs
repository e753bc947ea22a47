// docs/json.md from the shapes of what commands print with --json (src/commands/json-shapes.json).

const anchorOf = (name) => name.replaceAll(' ', '-')
const linked = (type) => type.replace(/#([\w-]+)/g, (_, anchor) => `[${anchor.replaceAll('-', ' ')}](#${anchor})`)

/** A column of meanings where a member has one. */
function table(members) {
  const rows = Object.entries(members).map(([path, value]) => [path, ...[value].flat()])
  if (rows.length === 0) return []
  const head = rows.some(([, , meaning]) => meaning) ? ['||||', '|---|---|---|'] : ['|||', '|---|---|']
  const cells = ([path, type, ...meaning]) => [`\`${path}\``, linked(type), ...meaning]
  return ['', ...head, ...rows.map((row) => `| ${cells(row).join(' | ')} |`)]
}

const article = (name) => (/^[aeiou]/.test(name) ? 'an' : 'a')
const plural = (name) => (name.endsWith('y') ? `${name.slice(0, -1)}ies` : `${name}s`)

/** What the document is: a list, what it shares with others, and a table that follows. */
function formOf({ isList, like, members }) {
  const ending = members === undefined ? '.' : like ? ', and:' : ':'
  if (!like) return isList ? `a list of${ending}` : ''
  const link = `[${isList ? plural(like) : like}](#${anchorOf(like)})`
  return `${isList ? 'a list of' : article(like)} ${link}${ending}`
}

const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1)

/** `With --flag` another document: `lead` begins its text. */
function section(head, shape, lead = '') {
  const { about = '', members = {} } = shape
  const form = formOf(shape)
  const words = form.endsWith(':') ? [about, form] : [form, about]
  const [first = '', ...more] = words.filter(Boolean)
  const text = [lead, lead ? first : capital(first), ...more.map(capital)].filter(Boolean).join(' ')
  return [...(head ? ['', head] : []), ...(text ? ['', text] : []), ...table(members)]
}

function ofCommand(name, shape) {
  const [command, flag] = name.split(' --')
  return flag === undefined ? section(`### grinpay ${command}`, shape) : section('', shape, `With \`--${flag}\`:`)
}

/** @param {{ shared: Readonly<Record<string, object>>, commands: Readonly<Record<string, object>> }} shapes */
export function jsonPage({ shared, commands }, generated) {
  return `# JSON of the commands

${generated}

Every command but \`serve\`, \`setup\`, \`sandbox\`, \`completion\` and \`relay policy\` takes \`--json\`: stdout then holds one JSON document and nothing else; the [exit code](cli.md) is the same. Later versions add members and rename or remove none: ignore unknown ones.

Tables list member, type and meaning.

- A member without a value is \`null\`, never absent.
- \`time\` is a string, RFC 3339 in UTC: \`2026-01-31T02:00:00Z\`.
- \`map of number\` is an object with arbitrary names.
- Amounts in whole nanogrin (10⁻⁹ GRIN) are numbers, as in the [HTTP API](api.md); amounts that may exceed what JSON readers keep are decimal GRIN in a string.
- Keys, ids and hashes are lower-case hex.
- Objects from a till have a further member \`chain\`: \`mainnet\`, \`testnet\`, \`usernet\` or \`sandbox\`. So have \`grant list\`, \`grant void\`, \`offer list\`, \`offer show\` and \`name show\`, where there is an amount and the authority's till, or without one its Grin node, reports the chain.

## What commands share
${Object.entries(shared)
  .flatMap(([name, shape]) => section(`### ${name}`, shape))
  .join('\n')}

## Commands
${Object.entries(commands)
  .flatMap(([name, shape]) => ofCommand(name, shape))
  .join('\n')}
`
}
