import { z } from 'zod'
import { env, orExit, SettingError } from '#app/platform/env.server.ts'
import { later } from '#app/platform/process/later.ts'
import { type ServedProvider, servedProviders } from './served-providers.ts'

/** All provider names of the auth protocol. */
export const providerNames =
  'apple azure bitbucket discord facebook figma fly github gitlab google kakao keycloak linkedin linkedin_oidc notion slack slack_oidc snapchat spotify twitch twitter workos zoom'.split(
    ' ',
  )

const keys = ['ENABLED', 'CLIENT_ID', 'SECRET', 'REDIRECT_URI', 'URL', 'SKIP_NONCE_CHECK', 'EMAIL_OPTIONAL'] as const

/** Made at the first use: most installations have no provider. */
const settings = later(() => {
  const flag = z.stringbool('true or false').default(false)
  const address = z
    .string()
    .refine(isAddress, 'an https address, or an http one of this machine, such as https://id.example.com/realms/main')
  return z.object({
    ENABLED: flag,
    /** The first id is used to sign in; tokens may be issued for any of them. */
    CLIENT_ID: z
      .string()
      .regex(/^[^\s,]+(,[^\s,]+)*$/, 'the client id from the provider, such as 1234.apps.example.com, or several separated by commas')
      .transform((list) => list.split(','))
      .default([]),
    SECRET: z.string().optional(),
    REDIRECT_URI: address.optional(),
    URL: address.transform((value) => value.replace(/\/+$/, '')).optional(),
    SKIP_NONCE_CHECK: flag,
    EMAIL_OPTIONAL: flag,
  } satisfies Record<(typeof keys)[number], z.ZodType>)
})

export type ProviderSettings = z.infer<ReturnType<typeof settings>>

/** Reads the EXTERNAL_<PROVIDER>_… settings and returns the enabled providers. Throws one sentence about the first wrong setting. */
export function readProviders(source: Readonly<Record<string, string | undefined>>): ReadonlyMap<ServedProvider, ProviderSettings> {
  const enabled = new Map<ServedProvider, ProviderSettings>()
  for (const name of servedProviders) {
    const prefix = prefixOf(name)
    const given = keys.map((key) => [key, source[prefix + key] || undefined])
    if (given.every(([, value]) => value === undefined)) continue
    const read = settings().safeParse(Object.fromEntries(given))
    const [issue] = read.error?.issues ?? []
    if (!read.success) throw new SettingError(`${prefix}${issue?.path.join('.')} must be ${issue?.message}.`)
    if (!read.data.ENABLED) continue
    if (read.data.CLIENT_ID.length === 0)
      throw new SettingError(`${prefix}CLIENT_ID must be set while ${prefix}ENABLED is true, such as ${prefix}CLIENT_ID=1234.`)
    if (name === 'keycloak' && !read.data.URL)
      throw new SettingError(`${prefix}URL must be the address of the realm, such as https://id.example.com/realms/main.`)
    enabled.set(name, read.data)
  }
  const other = providerNames.find((name) => !isServed(name) && source[`${prefixOf(name)}ENABLED`] === 'true')
  if (other) throw new SettingError(`${prefixOf(other)}ENABLED must be false, for it is not one of ${servedProviders.join(', ')}.`)
  return enabled
}

/** The enabled providers. */
export const providers = orExit(() => readProviders(env.external))

export function isServed(name: string): name is ServedProvider {
  return servedProviders.some((served) => served === name)
}

function prefixOf(name: string): string {
  return `EXTERNAL_${name.toUpperCase()}_`
}

function isAddress(value: string): boolean {
  const url = URL.parse(value)
  if (!url || url.username || url.search || url.hash) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname))
}
