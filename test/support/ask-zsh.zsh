# What zsh shows for a line and a tab, on a terminal of its own: zsh -f ask-zsh.zsh FOLDER-OF-FUNCTIONS LINE TEXT...
# It ends half a second after all TEXTs are shown, or after 20 seconds.
zmodload zsh/zpty
zpty shell "HOME=$HOME TERM=dumb zsh -f -i"
put() { zpty -w shell "$1" }
put "PROMPT=; stty -echo columns 100 rows 60; fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -d $HOME/.zcompdump"
put "unsetopt list_beep; LISTMAX=10000; print RE''ADY"
zpty -r -m shell before '*READY*'
zpty -w -n shell "$2"$'\t'
awaited() { local text; for text in "$@"; do [[ $shown == *"$text"* ]] || return 1; done }
rest=200
while (( rest-- > 0 )); do
  sleep 0.1
  while zpty -r -t shell part; do shown+=$part; done
  (( rest > 5 )) && awaited "${@:3}" && rest=5
done
print -r -- "$shown"
zpty -d shell
