const sentences: Record<string, string> = {
  identity_already_exists: 'That account elsewhere opens another account here already.',
  identity_not_found: 'That account elsewhere does not open this account.',
  single_identity_not_deletable: 'It is the only way to sign in that your account has.',
  manual_linking_disabled: 'Other accounts cannot be connected here.',
  signup_disabled: 'New accounts are not made here.',
  user_banned: 'This account is shut out.',
  provider_email_needs_verification: 'Your address has to be confirmed first. We have sent you an email.',
}

/** The reason why a person was sent back without a code. The URL only names an error code, so a link cannot inject its own text. */
export function returnedRefusal(params: URLSearchParams): string | undefined {
  if (!params.has('error') && !params.has('error_code')) return undefined
  return sentences[params.get('error_code') ?? ''] ?? 'The other service did not sign you in. Please try again.'
}
