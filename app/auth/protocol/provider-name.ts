const names: Record<string, string> = {
  email: 'Email',
  phone: 'Phone',
  web3: 'Wallet',
  azure: 'Microsoft',
  github: 'GitHub',
  gitlab: 'GitLab',
  linkedin_oidc: 'LinkedIn',
  slack_oidc: 'Slack',
}

/** The display name of a sign-in method. */
export function providerName(provider: string): string {
  return names[provider] ?? provider.slice(0, 1).toUpperCase() + provider.slice(1)
}
