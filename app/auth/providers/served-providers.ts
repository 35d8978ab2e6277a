/** Providers that this server supports. */
export const servedProviders = [
  'apple',
  'azure',
  'discord',
  'facebook',
  'github',
  'gitlab',
  'google',
  'kakao',
  'keycloak',
  'linkedin_oidc',
  'slack_oidc',
  'spotify',
  'twitch',
] as const

export type ServedProvider = (typeof servedProviders)[number]
