// This file holds gibbsgen completion: scripts made from the list of commands, so that they can't fall behind it.

package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
)

type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

func (completionCmd) Help() string {
	return `Prints a script that completes commands, flags and files.

Examples:

    source <(gibbsgen completion bash)
    gibbsgen completion zsh > "${fpath[1]}/_gibbsgen"
    gibbsgen completion fish > ~/.config/fish/completions/gibbsgen.fish`
}

// Run prints the script.
func (cmd *completionCmd) Run(c console, app *kong.Application) error {
	var b strings.Builder
	map[string]func(io.Writer, *kong.Application){"bash": bash, "zsh": zsh, "fish": fish}[cmd.Shell](&b, app)
	_, err := io.WriteString(c.stdout, b.String())
	return err
}

// flagsOf returns the flags of a command, and of those below it, that a user may see.
func flagsOf(app *kong.Application, node *kong.Node) []*kong.Flag {
	flags := []*kong.Flag{app.HelpFlag}
	for _, n := range append([]*kong.Node{node}, node.Children...) {
		for _, f := range n.Flags {
			if !f.Hidden {
				flags = append(flags, f)
			}
		}
	}
	return flags
}

// below returns the names of the commands below one.
func below(node *kong.Node) string {
	var names []string
	for _, n := range node.Children {
		names = append(names, n.Name)
	}
	return strings.Join(names, " ")
}

// words returns a flag as it is typed: --output -o.
func words(f *kong.Flag) []string {
	out := []string{"--" + f.Name}
	if f.Short != 0 {
		out = append(out, "-"+string(f.Short))
	}
	return out
}

// choices returns what an argument or flag may be, if that is a list.
func choices(v *kong.Value) []string {
	if v.Enum == "" {
		return nil
	}
	return v.EnumSlice()
}

func bash(w io.Writer, app *kong.Application) {
	var names []string
	for _, n := range app.Children {
		names = append(names, n.Name)
	}
	fmt.Fprintf(w, `# bash completion for gibbsgen
_gibbsgen() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words
	if [ "$COMP_CWORD" -eq 1 ]; then
		COMPREPLY=($(compgen -W "%s --help" -- "$cur"))
		return
	fi
	case "${COMP_WORDS[1]}" in
`, strings.Join(names, " "))
	for _, n := range app.Children {
		var flags, values []string
		for _, f := range flagsOf(app, n) {
			flags = append(flags, words(f)...)
		}
		for _, p := range n.Positional {
			values = append(values, choices(p)...)
		}
		fmt.Fprintf(w, "\t%s)\n", n.Name)
		for _, f := range n.Flags {
			if c := choices(f.Value); c != nil {
				fmt.Fprintf(w, "\t\tif [ \"$prev\" = --%s ]; then COMPREPLY=($(compgen -W %q -- \"$cur\")); return; fi\n", f.Name, strings.Join(c, " "))
			}
		}
		if values != nil {
			fmt.Fprintf(w, "\t\tCOMPREPLY=($(compgen -W %q -- \"$cur\")); return ;;\n", strings.Join(append(values, flags...), " "))
			continue
		}
		if len(n.Children) > 0 {
			fmt.Fprintf(w, "\t\tif [ \"$COMP_CWORD\" -eq 2 ]; then COMPREPLY=($(compgen -W %q -- \"$cur\")); return; fi\n", below(n))
		}
		fmt.Fprintf(w, "\t\twords=%q ;;\n", strings.Join(flags, " "))
	}
	fmt.Fprint(w, `	esac
	case "$cur" in
	-*) COMPREPLY=($(compgen -W "$words" -- "$cur")) ;;
	*) COMPREPLY=($(compgen -f -- "$cur")) ;;
	esac
}
complete -o filenames -F _gibbsgen gibbsgen
`)
}

func zsh(w io.Writer, app *kong.Application) {
	quote := strings.NewReplacer("'", "'\\''", "[", "\\[", "]", "\\]", ":", "\\:")
	fmt.Fprint(w, "#compdef gibbsgen\n_gibbsgen() {\n\tlocal -a commands\n\tcommands=(\n")
	for _, n := range app.Children {
		fmt.Fprintf(w, "\t\t'%s:%s'\n", n.Name, quote.Replace(n.Help))
	}
	fmt.Fprint(w, "\t)\n\tif (( CURRENT == 2 )); then\n\t\t_describe command commands\n\t\treturn\n\tfi\n\tlocal command=$words[2]\n\tshift words\n\t(( CURRENT-- ))\n\tcase $command in\n")
	for _, n := range app.Children {
		fmt.Fprintf(w, "\t%s)\n\t\t_arguments", n.Name)
		for _, f := range flagsOf(app, n) {
			for _, word := range words(f) {
				value := ""
				switch {
				case choices(f.Value) != nil:
					value = ":" + f.Name + ":(" + strings.Join(choices(f.Value), " ") + ")"
				case !f.IsBool():
					value = ":" + f.Name + ":_files"
				}
				fmt.Fprintf(w, " \\\n\t\t\t'%s[%s]%s'", word, quote.Replace(f.Help), value)
			}
		}
		if len(n.Children) > 0 {
			fmt.Fprintf(w, " \\\n\t\t\t'1:command:(%s)' \\\n\t\t\t'*:file:_files'", below(n))
		}
		for _, p := range n.Positional {
			if c := choices(p); c != nil {
				fmt.Fprintf(w, " \\\n\t\t\t'*:%s:(%s)'", p.Name, strings.Join(c, " "))
			} else {
				fmt.Fprintf(w, " \\\n\t\t\t'*:%s:_files'", p.Name)
			}
		}
		fmt.Fprint(w, " ;;\n")
	}
	fmt.Fprint(w, "\tesac\n}\ncompdef _gibbsgen gibbsgen\n")
}

func fish(w io.Writer, app *kong.Application) {
	quote := strings.NewReplacer(`\`, `\\`, "'", `\'`)
	fmt.Fprint(w, "# fish completion for gibbsgen\n")
	for _, n := range app.Children {
		fmt.Fprintf(w, "complete -c gibbsgen -n __fish_use_subcommand -f -a %s -d '%s'\n", n.Name, quote.Replace(n.Help))
	}
	for _, n := range app.Children {
		in := "-n '__fish_seen_subcommand_from " + n.Name + "'"
		for _, f := range flagsOf(app, n) {
			line := fmt.Sprintf("complete -c gibbsgen %s -l %s -d '%s'", in, f.Name, quote.Replace(f.Help))
			if f.Short != 0 {
				line += " -s " + string(f.Short)
			}
			switch c := choices(f.Value); {
			case c != nil:
				line += " -x -a '" + strings.Join(c, " ") + "'"
			case !f.IsBool():
				line += " -r"
			}
			fmt.Fprintln(w, line)
		}
		if len(n.Children) > 0 {
			fmt.Fprintf(w, "complete -c gibbsgen -n '__fish_seen_subcommand_from %s; and not __fish_seen_subcommand_from %s' -f -a '%[2]s'\n", n.Name, below(n))
		}
		for _, p := range n.Positional {
			if c := choices(p); c != nil {
				fmt.Fprintf(w, "complete -c gibbsgen %s -f -a '%s'\n", in, strings.Join(c, " "))
			}
		}
	}
}
