// A process of the product with only the endpoints of uploads, on an existing database: it starts within a second, and tests kill it.
import { connectDatabase } from '#app/platform/database/connect.server.ts'
import { useDatabase } from '#app/platform/database/db.server.ts'
import { openSecrets } from '#app/platform/database/secrets.server.ts'
import { openSignals } from '#app/platform/database/signals.server.ts'
import { uploadApi } from '#app/datasets/import/upload.api.ts'
import { env } from '#app/platform/env.server.ts'
import { createHttp } from '#app/platform/http/http.server.ts'

const connection = await connectDatabase({ url: env.DATABASE_URL ?? '' })
useDatabase(connection)
await openSignals()
await openSecrets(connection.kysely)
const app = createHttp()
app.register(uploadApi)
await app.listen({ host: '127.0.0.1', port: env.PORT })
