import { useState } from 'react'
import { Link } from 'react-router'
import { downloadCommands } from '#app/datasets/catalog/download-command.ts'
import type { ProductDetail } from '#app/datasets/catalog/product.ts'
import { CopyButton } from '#app/ui/copy-button.tsx'
import { Field } from '#app/ui/field.tsx'
import { Select } from '#app/ui/input.tsx'
import { formatNames } from './file-list.tsx'

type ProgramDownloadProps = { detail: Pick<ProductDetail, 'slug' | 'files' | 'versions'>; site: string }

/** The commands to download a file of this version with an API key in place of a session. */
export function ProgramDownload({ detail: { slug, files, versions }, site }: ProgramDownloadProps) {
  const [chosen, choose] = useState<string>('csv')
  const file = files.find(({ format }) => format === chosen) ?? files[0]
  const version = versions.find(({ isCurrent }) => isCurrent)?.number
  if (!file) return null
  return (
    <section aria-labelledby="by-program" className="grid min-w-0 gap-4">
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-3">
        <div className="grid gap-1">
          <h3 id="by-program" className="text-h4">
            Download with another program
          </h3>
          <p className="max-w-[68ch] text-small text-muted">
            Use one of your{' '}
            <Link to="/account/keys" className="link">
              API keys
            </Link>
            . Run the same command again to resume an interrupted download.
          </p>
        </div>
        <div className="w-full sm:w-56">
          <Field label="Format" name="program-format" tool>
            <Select value={file.format} onChange={(event) => choose(event.target.value)}>
              {files.map(({ format }) => (
                <option key={format} value={format}>
                  {formatNames[format]}
                </option>
              ))}
            </Select>
          </Field>
        </div>
      </div>
      {downloadCommands.map(({ program, write }) => {
        const line = write({ site, slug, format: file.format, name: file.name, version, key: 'YOUR_KEY' })
        return (
          <div key={program} className="grid min-w-0 grid-cols-1 gap-2">
            <div className="flex items-center justify-between gap-4">
              <h4 className="font-mono text-small">{program}</h4>
              <CopyButton text={line} label={`Copy ${program} command`} />
            </div>
            {/* A scrolling frame must be reachable by keyboard. */}
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
            <pre tabIndex={0} className="overflow-x-auto rounded-card border border-line bg-sunken p-4 text-fine leading-relaxed">
              <code>{line}</code>
            </pre>
          </div>
        )
      })}
    </section>
  )
}
