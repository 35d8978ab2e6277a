import type { Trx } from '#app/platform/database/db.server.ts'

type Welcome = (trx: Trx, ownerId: string) => Promise<void>

const welcomes: Welcome[] = []

/** Runs work in each transaction that gives the installation its first owner. */
export function onFirstOwner(work: Welcome): void {
  welcomes.push(work)
}

/** Call it after an account has become the first owner. It runs what other parts of the product do then, in the same transaction. */
export async function greetFirstOwner(trx: Trx, ownerId: string): Promise<void> {
  for (const work of welcomes) await work(trx, ownerId)
}
