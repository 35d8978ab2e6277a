import { useRef } from 'react'
import { Button } from '#app/ui/button.tsx'

type ChooseFilesProps = { busy: boolean; onChoose: (files: readonly File[]) => void }

/** A zip archive, or a folder that the browser packs. */
export function ChooseFiles({ busy, onChoose }: ChooseFilesProps) {
  const archive = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const take = ({ target }: React.ChangeEvent<HTMLInputElement>) => {
    const files = [...(target.files ?? [])].filter(({ webkitRelativePath }) => !/(^|\/)\./.test(webkitRelativePath))
    target.value = ''
    if (files.length > 0) onChoose(files)
  }
  // React's types lack this attribute, although all browsers support it.
  const ofFolder: Record<string, string> = { webkitdirectory: '' }
  const hidden = { type: 'file', className: 'sr-only', tabIndex: -1, onChange: take } as const
  return (
    <div className="grid gap-3">
      <p className="text-small text-muted">
        Choose an export of WordPress (.xml) or Ghost (.json), or Markdown files with front matter. Put pictures into the same zip archive
        or folder. Posts keep their dates, and old addresses lead to the new ones.
      </p>
      <input {...hidden} ref={archive} accept=".zip,.xml,.json,application/zip" aria-label="File" />
      <input {...hidden} ref={folder} {...ofFolder} aria-label="Folder" />
      <div className="flex flex-wrap gap-3">
        <Button type="button" look="quiet" busy={busy} onClick={() => archive.current?.click()}>
          Choose a file
        </Button>
        <Button type="button" look="quiet" busy={busy} onClick={() => folder.current?.click()}>
          Choose a folder
        </Button>
      </div>
    </div>
  )
}
