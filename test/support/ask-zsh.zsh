# What zsh shows for a line and a tab, on a terminal of its own: zsh -f ask-zsh.zsh FOLDER-OF-FUNCTIONS LINE
zmodload zsh/zpty
zpty shell "HOME=$HOME TERM=dumb zsh -f -i"
put() { zpty -w shell "$1" }
put "PROMPT=; stty -echo columns 100 rows 60; fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -d $HOME/.zcompdump"
put "unsetopt list_beep; LISTMAX=10000; print RE''ADY"
zpty -r -m shell before '*READY*'
zpty -w -n shell "$2"$'\t'
# zsh answers once the functions are read; silence for a second is the end.
for (( silent = 0; silent < 10; silent++ )); do
  sleep 0.1
  while zpty -r -t shell part; do print -r -- "$part"; silent=0; seen=1; done
  [[ -n $seen ]] || { (( waited++ < 80 )) && silent=0 }
done
zpty -d shell
