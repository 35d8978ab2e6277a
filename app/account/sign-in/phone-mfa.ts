/** The end of a phone number: enough for its owner to recognize the phone, without revealing the number. */
export function endOfNumber(phone: string): string {
  return phone.slice(-2)
}

const sentences: Record<string, string> = {
  mfa_challenge_expired: 'This code no longer works. It expired or was tried too often. Send another one.',
  mfa_ip_address_mismatch: 'This code no longer works. It was used, or your connection changed. Send another one.',
  mfa_verification_failed: 'This isn’t the code from the latest message.',
  mfa_verified_factor_exists: 'This phone is already set up for two-factor authentication.',
  sms_send_failed: 'The message could not be sent. Please try again.',
}

/** The text for a refusal of the service. */
export function phoneRefusal({ code, message }: { code: string | undefined; message: string }): string {
  return sentences[code ?? ''] ?? message
}

/** The seconds until the service sends the next message; `undefined` where it does not say. */
export function secondsToWait(message: string): number | undefined {
  const [, seconds] = /\bafter (\d{1,4}) seconds?\b/.exec(message) ?? []
  return seconds === undefined ? undefined : Number(seconds)
}

/** In milliseconds since 1970. */
export function momentIn(seconds: number): number {
  return Date.now() + seconds * 1000
}
