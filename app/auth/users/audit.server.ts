import { sql } from 'kysely'
import { z } from 'zod'
import { insert, transaction, type Trx } from '#app/platform/database/db.server.ts'

/** Actions for the `config.audit` of endpoints. */
export const trailAction = z.enum([
  'leads_exported',
  'consultations_exported',
  'audit_exported',
  'billing_exported',
  'organization_audit_exported',
  'posts_exported',
  'posts_imported',
  'post_created',
  'post_changed',
  'post_removed',
  'post_restored',
  'posts_changed',
  'posts_change_undone',
  'newsletter_sent',
  'subscribers_exported',
  'subscriber_removed',
  'image_added',
  'image_changed',
  'image_removed',
  'redirects_exported',
  'redirects_imported',
  'redirects_ordered',
  'redirects_changed',
  'redirects_restored',
  'redirect_created',
  'redirect_changed',
  'redirect_removed',
  'settings_saved',
  'settings_restored',
  'call_hours_saved',
  'call_settings_saved',
  'call_type_saved',
  'call_types_ordered',
  'call_type_removed',
  'call_calendar_added',
  'call_calendar_removed',
  'call_address_renewed',
  'call_address_revoked',
])

/** Actions of the auth protocol have its names. */
export type AuditAction =
  | z.infer<typeof trailAction>
  | 'login_failed'
  | 'access_refused'
  | 'rate_limited'
  | 'login'
  | 'logout'
  | 'user_signedup'
  | 'user_repeated_signup'
  | 'user_confirmation_requested'
  | 'user_recovery_requested'
  | 'user_reauthenticate_requested'
  | 'user_confirmed'
  | 'user_modified'
  | 'user_invited'
  | 'invite_accepted'
  | 'user_banned'
  | 'user_unbanned'
  | 'role_changed'
  | 'rights_changed'
  | 'factor_deleted'
  | 'factor_updated'
  | 'user_updated_password'
  | 'token_revoked'
  | 'factor_in_progress'
  | 'factor_unenrolled'
  | 'challenge_created'
  | 'verification_attempted'
  | 'identity_linked'
  | 'identity_unlinked'
  | 'identity_confirmed'
  | 'passkey_created'
  | 'passkey_updated'
  | 'passkey_deleted'
  | 'passkey_refused'
  | 'recovery_codes_made'
  | 'recovery_code_used'
  | 'account_exported'
  | 'account_deletion_requested'
  | 'account_deletion_taken_back'
  | 'account_deletion_refused'
  | 'user_deleted'
  | 'owner_claimed'
  | 'access_requested'
  | 'access_granted'
  | 'access_declined'
  | 'enquiry_answered'
  | 'enquiry_answer_taken_back'
  | 'call_booked'
  | 'call_proposed'
  | 'call_moved'
  | 'call_handed_over'
  | 'call_cancelled'
  | 'call_completed'
  | 'call_missed'
  | 'proposal_sent'
  | 'proposal_not_needed'
  | 'proposal_taken_back'
  | 'proposal_begun'
  | 'proposal_saved'
  | 'proposal_discarded'
  | 'proposal_emailed'
  | 'proposal_withdrawn'
  | 'proposal_answered'
  | 'proposal_accepted'
  | 'proposal_declined'
  | 'proposal_expired'
  | 'proposal_countersigned'
  | 'project_started'
  | 'final_payment_ordered'
  | 'enquiry_converted'
  | 'lead_stage_changed'
  | 'lead_stages_saved'
  | 'enquiry_withdrawn'
  | 'enquiry_resumed'
  | 'visitor_link_revoked'
  | 'visitor_link_renewed'
  | 'lead_changed'
  | 'lead_moved'
  | 'lead_replied'
  | 'lead_file_added'
  | 'lead_file_removed'
  | 'lead_templates_changed'
  | 'lead_made'
  | 'lead_email_added'
  | 'lead_email_removed'
  | 'leads_changed'
  | 'leads_deleted'
  | 'leads_restored'
  | 'leads_erased'
  | 'leads_imported'
  | 'lead_import_undone'
  | 'people_merged'
  | 'people_unmerged'
  | 'people_told_apart'
  | 'people_comparable'
  | 'api_key_made'
  | 'api_key_renamed'
  | 'api_key_rotated'
  | 'api_key_revoked'
  | 'api_key_revocation_undone'
  | 'api_key_quota_set'
  | 'organization_founded'
  | 'organization_changed'
  | 'organization_closed'
  | 'organization_invited'
  | 'organization_invitation_revoked'
  | 'organization_member_added'
  | 'organization_member_changed'
  | 'organization_member_removed'
  | 'organization_left'
  | 'organization_domain_added'
  | 'organization_domain_proven'
  | 'organization_domain_removed'
  | 'organization_domain_restored'
  | 'organization_join_requested'
  | 'organization_join_declined'
  | 'organization_sign_in_set'
  | 'organization_suspended'
  | 'organization_reopened'
  | 'organizations_merged'
  | 'organizations_merge_undone'
  | 'person_organization_set'
  | 'dataset_requested'
  | 'dataset_granted'
  | 'dataset_declined'
  | 'dataset_revoked'
  | 'dataset_downloaded'
  | 'dataset_api_opened'
  | 'post_removal_undone'
  | 'product_created'
  | 'product_changed'
  | 'product_removed'
  | 'product_removal_undone'
  | 'dataset_published'
  | 'dataset_rolled_back'
  | 'dataset_version_deleted'
  | 'dataset_columns_named'
  | 'dataset_columns_read'
  | 'order_placed'
  | 'order_paid'
  | 'order_failed'
  | 'order_expired'
  | 'order_cancelled'
  | 'order_withdrawn'
  | 'invoice_corrected'
  | 'payment_allocated'
  | 'payment_entered'
  | 'order_by_invoice'
  | 'payment_taken_back'
  | 'first_reminder_sent'
  | 'second_reminder_sent'
  | 'last_reminder_sent'
  | 'order_cancel_asked'
  | 'order_cancel_declined'
  | 'order_reminders_paused'
  | 'order_reminders_continued'
  | 'bank_file_imported'
  | 'bank_line_decided'
  | 'month_closed'
  | 'subscription_started'
  | 'subscription_cancelled'
  | 'subscription_continued'
  | 'subscription_changed'
  | 'subscription_ended'
  | 'subscription_reopened'
  | 'refund_asked'
  | 'refund_declined'
  | 'refund_booked'
  | 'refund_failed'
  | 'dispute_opened'
  | 'dispute_won'
  | 'dispute_lost'
  | 'billing_task_done'
  | 'test_payments_removed'
  | 'discount_code_made'
  | 'discount_code_archived'
  | 'discount_code_restored'
  | 'webhook_created'
  | 'webhook_changed'
  | 'webhook_secret_rotated'
  | 'webhook_removed'
  | 'webhook_disabled'
  | 'webhook_replayed'

/** The one who changes an account: a user, or, without an id, a program with a service key. */
export type Actor = { id?: string | undefined; address?: string | undefined }

/** The actor as fields of an event. */
export function by({ id, address }: Actor): { actorId?: string; address?: string } {
  return { ...(id && { actorId: id }), ...(address && { address }) }
}

/** Names the organization for which a person did something, unless they did it for themselves. */
export function organizationDetail(personId: string | null, organizationId: string): { organization?: string } {
  return personId === organizationId ? {} : { organization: organizationId }
}

type Event = { actorId?: string; subjectId?: string; address?: string; detail?: Record<string, unknown> }

/** Records an event in the transaction that causes it. `detail` must hold no secrets and no email addresses. */
export async function audit(trx: Trx, action: AuditAction, { detail = {}, ...event }: Event): Promise<void> {
  // One statement for all events: a statement that ran before is faster, which would tell a known address from an unknown one.
  const { actorId = null, subjectId = null, address = null } = event
  await insert(trx, 'auditEvents', { action, actorId, subjectId, address, detail: JSON.stringify(detail) })
}

/** Deletes events past their retention. The database refuses any other deletion. */
export async function forgetEvents(before: Date): Promise<void> {
  await transaction(async (trx) => {
    await allowChange(trx, 'retention')
    await trx.deleteFrom('auditEvents').where('createdAt', '<', before).execute()
    await allowChange(trx, 'none')
  })
}

/** Removes the network addresses of a deleted account. The database refuses any other change to an event. */
export async function eraseAddresses(trx: Trx, actorId: string): Promise<void> {
  await allowChange(trx, 'erasure')
  await trx.updateTable('auditEvents').set({ address: null }).where('actorId', '=', actorId).execute()
  await allowChange(trx, 'none')
}

/** Applies to the rest of this transaction; the table's trigger reads it. */
async function allowChange(trx: Trx, change: 'retention' | 'erasure' | 'none'): Promise<void> {
  await sql`SELECT set_config('winnow.audit_change', ${change}, true)`.execute(trx)
}
