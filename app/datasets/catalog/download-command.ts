import type { FileFormat } from './format.ts'

export type Download = {
  /** The base URL of the site. */
  site: string
  slug: string
  format: FileFormat
  /** The file name on disk. */
  name: string
  /** The number of a version; the current one by default. */
  version?: number | undefined
  /** How the shell gets the key: a placeholder or a variable. */
  key: string
}

/** Commands that download a file of a dataset with an API key. Each one resumes when it is run again after an interruption. */
export const downloadCommands: { program: string; write: (download: Download) => string }[] = [
  {
    program: 'curl',
    write: (download) =>
      [
        `curl --fail --retry 10 --continue-at - --output ${download.name}`,
        `--header "Authorization: Bearer ${download.key}"`,
        `"${addressOf(download)}"`,
      ].join(' \\\n  '),
  },
  {
    program: 'aria2c',
    write: (download) =>
      [
        `aria2c --continue=true --split=4 --max-connection-per-server=4 --max-tries=10 --retry-wait=30 --out=${download.name}`,
        `--header="Authorization: Bearer ${download.key}"`,
        `"${addressOf(download)}"`,
      ].join(' \\\n  '),
  },
]

function addressOf({ site, slug, format, version }: Download): string {
  const query = new URLSearchParams({ format, ...(version !== undefined && { version: String(version) }) })
  return `${site}/api/v1/datasets/${slug}/download?${query}`
}
