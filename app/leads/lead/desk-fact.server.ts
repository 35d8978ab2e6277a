import { currentAccounts } from '#app/auth/users/account.server.ts'
import { nameOf } from '#app/auth/users/user-name.ts'
import { listLostReasons, listStages } from './stage.server.ts'
import { type Database, db, type Trx } from '#app/platform/database/db.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { LeadPipeline } from './desk.ts'

const MOST_OWNERS = 500

/** The pipeline with the reasons for lost leads, and the staff who can own a lead. */
export async function readPipeline(): Promise<LeadPipeline> {
  const [stages, lostReasons, owners] = await Promise.all([listStages(), listLostReasons(), listLeadOwners()])
  return { stages, lostReasons, owners }
}

/** Staff and owners, by name. */
export async function listLeadOwners(): Promise<LeadPipeline['owners']> {
  const rows = await ownerAccounts(db).select(['id', 'email', 'userMetadata']).limit(MOST_OWNERS).execute()
  return rows
    .map(({ id, email, userMetadata }) => ({ id, name: nameOf(userMetadata) ?? email ?? 'No name' }))
    .toSorted((one, other) => one.name.localeCompare(other.name, 'en'))
}

function ownerAccounts(connection: Database | Trx) {
  return currentAccounts(connection).where('role', 'in', ['staff', 'owner'])
}

/** Refuses a stage that was removed meanwhile. */
export async function requireStage(trx: Trx, id: number): Promise<void> {
  const found = await trx.selectFrom('leadStages').select('id').where('id', '=', id).forShare().executeTakeFirst()
  if (!found) refuse('stageId', 'This stage was removed. Choose another one.')
}

/** Refuses an owner who is not staff. */
export async function requireOwner(trx: Trx, id: string): Promise<void> {
  const found = await ownerAccounts(trx).select('id').where('id', '=', id).executeTakeFirst()
  if (!found) refuse('ownerId', 'This account cannot own leads. Choose another one.')
}

function refuse(field: string, sentence: string): never {
  stop('unprocessable', sentence, { code: 'validation_failed', errors: { [field]: sentence } })
}
