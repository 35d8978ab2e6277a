import { FileDownIcon } from 'lucide-react'
import { buttonLook } from '#app/ui/button-look.ts'
import { POST_EXPORT } from './post-file.ts'

export function ExportLink() {
  return (
    <a href={POST_EXPORT} download className={buttonLook('quiet')}>
      <FileDownIcon aria-hidden="true" className="size-4" />
      Export
    </a>
  )
}
