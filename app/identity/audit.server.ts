import { insert, type Trx } from '#app/platform/db.server.ts'

/** What the auth protocol names is named as there. */
export type AuditAction =
  | 'login'
  | 'logout'
  | 'user_signedup'
  | 'user_repeated_signup'
  | 'user_confirmation_requested'
  | 'user_recovery_requested'
  | 'user_confirmed'
  | 'user_modified'
  | 'user_updated_password'
  | 'token_revoked'
  | 'owner_claimed'
  | 'access_requested'
  | 'enquiry_answered'
  | 'enquiry_answer_taken_back'
  | 'proposal_sent'
  | 'proposal_not_needed'
  | 'proposal_taken_back'

type Event = { actorId?: string; subjectId?: string; address?: string; detail?: Record<string, unknown> }

/** Keeps what someone did that has to be traced, in the transaction in which it happened. No secrets and no addresses of letters in `detail`. */
export async function audit(trx: Trx, action: AuditAction, { detail = {}, ...event }: Event): Promise<void> {
  await insert(trx, 'auditEvents', { action, ...event, detail: JSON.stringify(detail) })
}
