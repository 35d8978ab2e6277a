import path from 'node:path'
import { connectDatabase } from '#app/platform/database/connect.server.ts'
import { db, useDatabase } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { livePosts } from '#test/post-world.ts'

const [seed = '1', count = '100'] = process.argv.slice(2)

// The tables exist, because the product has been started on this database.
const connection = await connectDatabase(env.DATABASE_URL ? { url: env.DATABASE_URL } : { folder: path.resolve(env.DATA_DIR) })
useDatabase(connection)
// That start may also have written the first posts.
await db.deleteFrom('posts').execute()
process.stdout.write(JSON.stringify(await livePosts(Number(seed), Number(count))))
await connection.close()
