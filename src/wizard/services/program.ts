/** What a unit runs: the interpreter, our entry file, and the folder that holds the package. */
export interface Program {
  readonly node: string
  readonly script: string
  readonly root: string
}

/** Units close home folders off. */
export const isHidden = ({ node, script }: Program): boolean =>
  [node, script].some((path) => /^\/(home|root)\//.test(path))

export const HIDDEN_PROGRAM =
  'warning: node or grinpay lies in a home folder, which the unit cannot see; install it for the machine (npm install --global as root)'
