import { buttonLook } from '#app/ui/button-look.ts'
import { EXPORT } from './post-file.ts'

/** All posts and their pictures, as files that other programs read. */
export function ExportLink() {
  return (
    <a href={EXPORT} download className={buttonLook('quiet')}>
      Export
    </a>
  )
}
