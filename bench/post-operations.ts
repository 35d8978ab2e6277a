import path from 'node:path'
import { connect } from '#app/database/connect.server.ts'
import { db, useDatabase } from '#app/platform/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { livePosts } from '#test/post-world.ts'

const [seed = '1', count = '100'] = process.argv.slice(2)

// Its tables are there: the product has been started on it.
const connection = await connect(env.DATABASE_URL ? { url: env.DATABASE_URL } : { folder: path.resolve(env.DATA_DIR) })
useDatabase(connection)
// The start that made them may have written the first posts as well.
await db.deleteFrom('posts').execute()
process.stdout.write(JSON.stringify(await livePosts(Number(seed), Number(count))))
await connection.close()
