const sentences: Record<string, string> = {
  identity_already_exists: 'That external account is already connected to another account here.',
  identity_not_found: 'That external account isn’t connected to your account.',
  single_identity_not_deletable: 'This is your account’s only sign-in method.',
  manual_linking_disabled: 'Connecting other accounts is turned off.',
  signup_disabled: 'Sign-up is closed.',
  user_banned: 'This account is suspended.',
  provider_email_needs_verification: 'Confirm your address first. We’ve sent you an email.',
}

/** The reason why a person was sent back without a code. The URL only names an error code, so a link cannot inject its own text. */
export function returnedRefusal(params: URLSearchParams): string | undefined {
  if (!params.has('error') && !params.has('error_code')) return undefined
  return sentences[params.get('error_code') ?? ''] ?? 'The provider didn’t sign you in. Please try again.'
}
