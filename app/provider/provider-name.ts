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

/** What people call a way to sign in that the auth protocol names. */
export function providerName(provider: string): string {
  return names[provider] ?? provider.slice(0, 1).toUpperCase() + provider.slice(1)
}
