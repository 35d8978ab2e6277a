export type Chain = 'ethereum' | 'solana'

/** A sign-in message in EIP-4361 format, which Solana uses too. */
export type SignedMessage = {
  domain: string
  address: string
  statement: string | undefined
  uri: string
  chainId: string | undefined
  issuedAt: Date
  expiresAt: Date | undefined
  notBefore: Date | undefined
}

const names = { ethereum: 'Ethereum', solana: 'Solana' }
const addresses = { ethereum: /^0x[\da-f]{40}$/i, solana: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/ }
const chainIds = { ethereum: /^[1-9]\d{0,18}$/, solana: /^solana:(mainnet|devnet|testnet|localnet)$/ }
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/
const FIELD = /^(URI|Version|Chain ID|Nonce|Issued At|Expiration Time|Not Before|Request ID): (\S.*)$/
const RESOURCES = 'Resources:'

/** Parses a message strictly: returns `undefined` for any deviation, since a wallet might have displayed it differently. */
export function readSignedMessage(text: string, chain: Chain): SignedMessage | undefined {
  const [first = '', address = '', gap, ...rest] = text.split('\n')
  const [, domain] = /^([^\s/?#@]+) wants you to sign in with your (\w+) account:$/.exec(first) ?? []
  if (!domain || first !== `${domain} wants you to sign in with your ${names[chain]} account:`) return undefined
  if (!addresses[chain].test(address) || gap !== '' || /[^\P{Cc}\n]/u.test(text)) return undefined
  const { statement, lines } = withoutStatement(rest)
  const fields = readFields(lines)
  return fields && toMessage(chain, { domain, address, statement, fields })
}

/** An empty line follows a statement. Without a statement, one more empty line is allowed. */
function withoutStatement(rest: string[]): { statement: string | undefined; lines: string[] } {
  const [first = '', second, ...others] = rest
  if (FIELD.test(first)) return { statement: undefined, lines: rest }
  if (first === '') return { statement: undefined, lines: rest.slice(1) }
  return { statement: first, lines: second === '' ? others : ['no field'] }
}

function readFields(lines: string[]): Map<string, string> | undefined {
  const at = lines.indexOf(RESOURCES)
  const resources = at < 0 ? [] : lines.slice(at + 1)
  if (resources.some((line) => !/^- \S+$/.test(line))) return undefined
  const fields = new Map<string, string>()
  for (const line of at < 0 ? lines : lines.slice(0, at)) {
    const [, name, value] = FIELD.exec(line) ?? []
    if (!name || !value || fields.has(name)) return undefined
    fields.set(name, value)
  }
  return fields
}

type Parts = { domain: string; address: string; statement: string | undefined; fields: Map<string, string> }

function toMessage(chain: Chain, { domain, address, statement, fields }: Parts): SignedMessage | undefined {
  const [uri, chainId] = [fields.get('URI'), fields.get('Chain ID')]
  const issuedAt = readTime(fields.get('Issued At'))
  const [expiresAt, notBefore] = [readTime(fields.get('Expiration Time')), readTime(fields.get('Not Before'))]
  const hasChain = chainId === undefined ? chain === 'solana' : chainIds[chain].test(chainId)
  if (fields.get('Version') !== '1' || !uri || !URL.canParse(uri) || !hasChain) return undefined
  if (!issuedAt || expiresAt === null || notBefore === null) return undefined
  return { domain, address, statement, uri, chainId, issuedAt, expiresAt, notBefore }
}

/** Returns `null` for an invalid time, `undefined` for a missing one. */
function readTime(text: string | undefined): Date | undefined | null {
  if (text === undefined) return undefined
  const time = new Date(TIME.test(text) ? text : Number.NaN)
  return Number.isNaN(time.getTime()) ? null : time
}
