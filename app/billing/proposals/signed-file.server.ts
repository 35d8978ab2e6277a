import { createHash } from 'node:crypto'
import { z } from 'zod'
import { db, insert, newId, transaction } from '#app/platform/database/db.server.ts'
import { defineJob, type NewJob } from '#app/platform/jobs.server.ts'
import { openFile, putFile, type StoredFile } from '#app/platform/storage/storage.server.ts'
import type { Row } from '#db/tables.ts'
import { readSigned } from './signed-document.ts'
import { signedPdf } from './signed-pdf.server.ts'
import { signFingerprint } from './signing-key.server.ts'

type FileKind = Row<'proposalFiles'>['kind']

const JOB = 'proposals.file'

const payload = z.object({ id: z.string(), kind: z.enum(['accepted', 'countersigned']) })

/** The job that makes a signed file, once. */
export function signedFileJob(id: string, kind: FileKind): NewJob {
  return { kind: JOB, payload: { id, kind }, dedupeKey: `${JOB}:${kind}:${id}` }
}

defineJob(JOB, payload, async ({ id, kind }) => makeFile(id, kind))

/** Makes the file, signs its fingerprint and stores both. A second run finds the first one's row. */
async function makeFile(id: string, kind: FileKind): Promise<void> {
  const row = await db.selectFrom('proposals').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row?.signedDocument || !row.signedHash) return
  const known = await db.selectFrom('proposalFiles').select('id').where('proposalId', '=', id).where('kind', '=', kind).executeTakeFirst()
  if (known) return
  const counter = kind === 'countersigned' && row.countersignedAt ? { name: row.countersignedName, at: row.countersignedAt } : undefined
  const bytes = await signedPdf({ document: readSigned(row.signedDocument), hash: row.signedHash, counter })
  const hash = createHash('sha256').update(bytes).digest('hex')
  const storedAs = `proposals/${newId()}.pdf`
  await putFile(storedAs, bytes)
  const jws = await signFingerprint(hash)
  await transaction(async (trx) => insert(trx, 'proposalFiles', { proposalId: id, kind, hash, jws, storedAs, size: bytes.length }))
}

export type SignedFile = Pick<Row<'proposalFiles'>, 'kind' | 'hash' | 'jws' | 'storedAs' | 'size' | 'createdAt'>

/** The newest signed file of a version: with both signatures once it has them. */
export async function findSignedFile(proposalId: string): Promise<SignedFile | undefined> {
  return db
    .selectFrom('proposalFiles')
    .select(['kind', 'hash', 'jws', 'storedAs', 'size', 'createdAt'])
    .where('proposalId', '=', proposalId)
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export async function openSignedFile({ storedAs }: SignedFile): Promise<StoredFile | undefined> {
  return openFile(storedAs)
}

/** Finds the proposal of a fingerprint. Returns only facts that are in the file itself. */
export async function findByFingerprint(hash: string) {
  return db
    .selectFrom('proposalFiles')
    .innerJoin('proposals', 'proposals.id', 'proposalFiles.proposalId')
    .select(['proposals.reference', 'proposals.number', 'proposals.settledAt', 'proposalFiles.kind', 'proposalFiles.jws'])
    .where('proposalFiles.hash', '=', hash)
    .executeTakeFirst()
}
