const ours =
  /^(PORT|HOST|SITE_URL|DATA_DIR|MASTER_KEY|DATABASE_.*|SMTP_.*|MAIL_FROM|MAIL_REPLY_ADDRESS|IMAP_URL|OWNER_EMAIL|BOOKING_.*|PAYMENTS|STRIPE_.*|CURRENCY|SELL_TO|S3_.*|BACKUP_.*|FILE_OFFLOAD|TRUST_PROXY|RATE_LIMITS|METRICS_TOKEN|LOG_LEVEL|JWT_.*|MAILER_.*|SECURITY_.*|PASSWORD_.*|EXTERNAL_.*|SMS_.*|HOOK_.*|SESSIONS_.*|RATE_LIMIT_.*|MFA_.*|API_EXTERNAL_URL|SUPABASE_.*|DISABLE_SIGNUP|URI_ALLOW_LIST)$/

/** Applies exactly these settings: a developer's own environment must not reach the tests. */
export function useSettings(settings: Record<string, string>) {
  for (const name of Object.keys(process.env).filter((key) => ours.test(key))) delete process.env[name]
  Object.assign(process.env, { LOG_LEVEL: 'silent', ...settings })
}

/** Runs the work under these settings, then restores the previous ones. */
export async function withSettings(settings: Record<string, string>, work: () => Promise<void>) {
  const before = { ...process.env }
  useSettings(settings)
  try {
    await work()
  } finally {
    process.env = before
  }
}
