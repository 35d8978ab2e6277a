import { useState } from 'react'
import { flushSync } from 'react-dom'
import { PictureChooser } from './picture-chooser.tsx'
import { type MarkdownCommand, pictureCommand } from './markdown-command.ts'

type PictureToolProps = {
  /** Pictures that were dropped or pasted, one after the other; none to choose from the library. */
  files: File[]
  run: (command: MarkdownCommand) => void
  close: () => void
}

/** Puts pictures where the cursor is. None comes without words for those who do not see it. */
export function PictureTool({ files, run, close }: PictureToolProps) {
  const [at, setAt] = useState(0)
  return (
    <PictureChooser
      key={at}
      file={files[at]}
      onClose={close}
      onPick={(picture) => {
        // The editor takes the focus once no dialog stands before it.
        flushSync(() => (at + 1 < files.length ? setAt(at + 1) : close()))
        run(pictureCommand(picture))
      }}
    />
  )
}
