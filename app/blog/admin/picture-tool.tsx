import { useState } from 'react'
import { flushSync } from 'react-dom'
import { PictureChooser } from './picture-chooser.tsx'
import { type MarkdownCommand, pictureCommand } from './markdown-command.ts'

type PictureToolProps = {
  /** Dropped or pasted images, in order; empty to choose from the library. */
  files: File[]
  run: (command: MarkdownCommand) => void
  close: () => void
}

/** Inserts images at the cursor. Each needs alt text first. */
export function PictureTool({ files, run, close }: PictureToolProps) {
  const [at, setAt] = useState(0)
  return (
    <PictureChooser
      key={at}
      file={files[at]}
      onClose={close}
      onPick={(picture) => {
        // The editor can take the focus only after the dialog has closed.
        flushSync(() => (at + 1 < files.length ? setAt(at + 1) : close()))
        run(pictureCommand(picture))
      }}
    />
  )
}
