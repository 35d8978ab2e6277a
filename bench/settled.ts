import { setTimeout as sleep } from 'node:timers/promises'

const LAST_DATASET = '/data-marketplace/reference-rates'

/** The sitemap of a new installation once its first posts and datasets exist. They are generated after the start, and no measurement runs beside that work. */
export async function settledMap(origin: string): Promise<string> {
  for (let tries = 0; tries < 600; tries += 1) {
    const map = await (await fetch(`${origin}/sitemap.xml`)).text()
    if (map.includes('/blog/') && map.includes(LAST_DATASET)) return map
    await sleep(200)
  }
  throw new Error('The first posts and datasets were not made.')
}
