// A process of the product that only reads the mailbox of replies, on an existing database: it starts within a second, and tests kill it.
import { connectDatabase } from '#app/platform/database/connect.server.ts'
import { useDatabase } from '#app/platform/database/db.server.ts'
import { openSecrets } from '#app/platform/database/secrets.server.ts'
import { startMailbox } from '#app/leads/mailbox/mailbox-reader.server.ts'
import { env } from '#app/platform/env.server.ts'

const connection = await connectDatabase({ url: env.DATABASE_URL ?? '' })
useDatabase(connection)
await openSecrets(connection.kysely)
startMailbox({ poll: 1_000, retry: 50 })
setInterval(() => undefined, 60_000)
