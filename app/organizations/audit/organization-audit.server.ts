import { sql } from 'kysely'
import { factLooks, isShownFact } from '#app/organizations/organization/organization.ts'
import { readBehind } from '#app/platform/database/replica.server.ts'
import {
  createdAtOf,
  createdBefore,
  createdColumns,
  type CreatedRow,
  inBatches,
  type ListFile,
} from '#app/platform/tables/list-file.server.ts'
import { UUID } from '#app/platform/text/uuid.ts'
import { viewText } from '#app/ui/admin/view.ts'

type OrganizationEvent = CreatedRow & {
  action: string
  who: string
  /** The member, invited address or key that it is about. */
  about: string | null
  detail: Record<string, unknown>
}

/**
 * Twelve months of what happened to an organization, and of what its people did for it, newest first. Staff of the business are not named, and there are
 * no network addresses.
 */
export function organizationEvents(organizationId: string): ListFile<OrganizationEvent> {
  return {
    columns: {
      At: createdAtOf,
      Who: ({ who }) => who,
      What: ({ action }) => viewText(action),
      Detail: ({ about, detail }) =>
        [about, ...Object.entries(detail).flatMap(([name, value]) => factText(name, value))].filter(Boolean).join(', '),
    },
    batches: inBatches(async (last, limit) => {
      const { rows } = await readBehind(sql<OrganizationEvent>`
        SELECT action, detail, ${who(organizationId)} AS who, ${about} AS about, ${createdColumns} FROM audit_events AS event
        WHERE id IN (${idsOf(organizationId)}) AND created_at > now() - interval '12 months' AND detail->'facts' IS DISTINCT FROM '["notes"]'
          AND ${createdBefore(last)}
        ORDER BY created_at DESC, id DESC LIMIT ${limit}`)
      return rows
    }),
  }
}

/** Events of the organization itself, those that name it, and those of the personal keys that were made for it. */
const idsOf = (organizationId: string) => sql`
  SELECT id FROM audit_events WHERE subject_id = ${organizationId}
  UNION ALL SELECT id FROM audit_events WHERE detail->>'organization' = ${organizationId}
  UNION ALL SELECT id FROM audit_events WHERE subject_id IN (SELECT user_id FROM api_keys WHERE organization_id = ${organizationId})
    AND detail->>'key' IN (SELECT id::text FROM api_keys WHERE organization_id = ${organizationId})`

const who = (organizationId: string) => sql`CASE WHEN actor_id IS NULL THEN '' ELSE coalesce((
  SELECT CASE WHEN role IN ('staff', 'owner') AND NOT EXISTS (
    SELECT FROM organization_members WHERE organization_id = ${organizationId} AND user_id = actor_id) THEN 'Staff' ELSE email::text END
  FROM accounts WHERE accounts.id = actor_id AND deleted_at IS NULL), 'Deleted account') END`

const about = sql`coalesce(
  (SELECT email::text FROM accounts WHERE accounts.id::text = detail->>'member' AND deleted_at IS NULL),
  (SELECT email FROM organization_invitations WHERE organization_invitations.id::text = detail->>'invitation'),
  (SELECT name FROM api_keys WHERE api_keys.id::text = detail->>'key'))`

/** Ids tell people nothing, and what staff note is theirs. */
function factText(name: string, value: unknown): string[] {
  if (name === 'facts' && Array.isArray(value)) return value.flatMap((fact) => (isShownFact(fact) ? [factLooks[fact].label] : []))
  if (typeof value === 'boolean') return value && name !== 'byStaff' ? [viewText(name)] : []
  if ((typeof value !== 'string' && typeof value !== 'number') || UUID.test(String(value))) return []
  return [`${name}: ${value}`]
}
