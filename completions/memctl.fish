# Completion of memctl for fish. `memctl completion fish` prints it.

# Print the command of the line, and how many arguments stand behind it.
function __memctl_place
    set -l command ''
    set -l count 0
    set -l valued --root --user-memory --format --color --type -t --source -s --filter --older-than --since --sort --jobs --shard --scope --rules --description --content --wait --show --forget --days --number --mb --select --ignore --severity --fail-on --output -o --baseline --against --max-removed --over --name --matching --keep-last --keep-within --workspace --file
    set -l skip 0
    set -l ended 0
    for token in (commandline -opc)[2..-1]
        if test $skip = 1
            set skip 0
        else if test $ended = 1; or not string match -qr -- '^-.' $token
            if test -n "$command"
                set count (math $count + 1)
            else
                set command $token
            end
        else
            switch $token
                case --
                    set ended 1
                case '--*'
                    contains -- $token $valued; and set skip 1
                case '*'
                    # Of short options in one word the last one can take a value.
                    contains -- -(string sub -s -1 -- $token) $valued; and set skip 1
            end
        end
    end
    printf '%s\n' "$command" $count
end

# Whether no command stands there yet.
function __memctl_first
    set -l place (__memctl_place)
    test -z "$place[1]"
end

# Whether the command is one of these.
function __memctl_in
    set -l place (__memctl_place)
    contains -- "$place[1]" $argv
end

# Whether the command is one of these and as many arguments stand behind it: 0, 1, or any number (*).
function __memctl_at
    set -l place (__memctl_place)
    contains -- "$place[1]" $argv[2..-1]; or return
    test "$argv[1]" = '*'; or test "$place[2]" = "$argv[1]"
end

# Print the word at the cursor without its quotes.
function __memctl_word
    set -l word (commandline -ct)
    for end in '' '"' "'"
        if set -l plain (string unescape -- "$word$end")
            printf '%s\n' "$plain"
            return
        end
    end
    printf '%s\n' "$word"
end

# Ask memctl for agents or addresses that begin with the word; it gets the roots of the line.
function __memctl_ask
    set -l roots
    set -l next 0
    for token in (commandline -opc)[2..-1]
        if test $next = 1
            set -a roots --root=$token
            set next 0
        else
            switch $token
                case --
                    break
                case --root
                    set next 1
                case '--root=*'
                    set -a roots $token
            end
        end
    end
    command memctl __complete $argv $roots -- (__memctl_word) 2>/dev/null </dev/null
end

function __memctl_is_path
    string match -qr -- '^(\.|\.\.|/.*|\./.*|\.\./.*|~.*)$' (commandline -ct)
end

function __memctl_agents
    if __memctl_is_path
        __fish_complete_directories (commandline -ct) Directory
    else
        __memctl_ask
    end
end

function __memctl_addresses
    if __memctl_is_path
        __fish_complete_path (commandline -ct)
    else
        __memctl_ask --addresses
    end
end

complete -c memctl -f

complete -c memctl -l root -x -a '(__fish_complete_directories)' -d 'A data folder, a memory/ directory or one agent\'s directory. Repeatable.'
complete -c memctl -l user-memory -r -F -d 'The user-memory file.'
complete -c memctl -l json -s j -d 'The same as --format json.'
complete -c memctl -l format -x -a 'text json' -d 'text or json.'
complete -c memctl -l color -x -a 'auto always never' -d 'auto, always or never.'
complete -c memctl -l no-pager -d 'Do not page long output.'
complete -c memctl -l quiet -s q -d 'Print nothing on success.'
complete -c memctl -l verbose -s v -d 'Say more.'
complete -c memctl -l debug -d 'Show the traceback of a bug.'
complete -c memctl -l help -s h -d 'Show this message and exit.'
complete -c memctl -n __memctl_first -l version -d 'Print the version.'
complete -c memctl -n __memctl_first -a list -d 'List memories in groups by type.'
complete -c memctl -n __memctl_first -a show -d 'Show memories in full, or an agent\'s card.'
complete -c memctl -n __memctl_first -a recall -d 'Show the memories that fit a message.'
complete -c memctl -n __memctl_first -a explain -d 'Explain a rule, an exit code, a memory, or the user memory.'
complete -c memctl -n __memctl_first -a edit -d 'Edit a memory, in your editor or by options.'
complete -c memctl -n __memctl_first -a delete -d 'Delete memories.'
complete -c memctl -n __memctl_first -a clear -d 'Remove all memories of an agent, or empty the user memory.'
complete -c memctl -n __memctl_first -a remember -d 'Append notes to the user memory.'
complete -c memctl -n __memctl_first -a path -d 'Print where memories are.'
complete -c memctl -n __memctl_first -a undo -d 'Take back what memctl changed.'
complete -c memctl -n __memctl_first -a redo -d 'Do again what the last undo took back.'
complete -c memctl -n __memctl_first -a history -d 'Show what memctl changed, the newest first.'
complete -c memctl -n __memctl_first -a check -d 'Find what is wrong with memories: the linter for CI.'
complete -c memctl -n __memctl_first -a reindex -d 'Render MEMORY.md anew where it is stale.'
complete -c memctl -n __memctl_first -a prune -d 'Remove memories by a policy, with the reason for each.'
complete -c memctl -n __memctl_first -a import-legacy -d 'Import the old MEMORY.md of a workspace.'
complete -c memctl -n __memctl_first -a sweep-mode -d 'Show or set the mode of the post-turn sweep.'
complete -c memctl -n __memctl_first -a auto-memory -d 'Show or set automatic memory.'
complete -c memctl -n __memctl_first -a prompt -d 'Print the block that CodeWhale injects for the user memory.'
complete -c memctl -n __memctl_first -a config -d 'Show or set memctl\'s own settings.'
complete -c memctl -n __memctl_first -a completion -d 'Print the completion script of a shell.'
complete -c memctl -n __memctl_first -a demo -d 'Write a small data folder to try memctl on.'
complete -c memctl -n __memctl_first -a help -d 'Show help on a command or a topic.'

# list
complete -c memctl -n '__memctl_in list ls' -l all -s A -d 'Every agent of every root.'
complete -c memctl -n '__memctl_in list ls' -l type -s t -x -a 'user feedback project reference' -d 'user, feedback, project or reference. Repeatable.'
complete -c memctl -n '__memctl_in list ls' -l source -s s -x -a 'agent sweep user import' -d 'agent, sweep, user or import. Repeatable.'
complete -c memctl -n '__memctl_in list ls' -l filter -x -d 'Name or description holds TEXT, case ignored.'
complete -c memctl -n '__memctl_in list ls' -l older-than -x -d 'Last updated before: 90d, 6mo, a date.'
complete -c memctl -n '__memctl_in list ls' -l since -x -d 'Last updated since: 7d, yesterday, a date.'
complete -c memctl -n '__memctl_in list ls' -l sort -x -a 'name updated created size' -d 'name, updated, created or size.'
complete -c memctl -n '__memctl_in list ls' -l reverse -s r -d 'The other way round.'
complete -c memctl -n '__memctl_in list ls' -l addresses -d 'Addresses only, one a line.'
complete -c memctl -n '__memctl_in list ls' -l null -s 0 -d 'NUL instead of line ends, in addresses read and printed.'
complete -c memctl -n '__memctl_in list ls' -l jobs -x -d 'How many processes read.'
complete -c memctl -n '__memctl_in list ls' -l shard -x -d 'Only the K-th of N parts of the agents.'
complete -c memctl -n '__memctl_in list ls' -l scope -x -a 'global workspace all' -d 'CodeWhale\'s native tree: global, workspace or all.'
complete -c memctl -n "__memctl_at '*' list ls" -a '(__memctl_agents)'

# show
complete -c memctl -n '__memctl_in show cat' -l raw -d 'The bytes of the files, as they are.'
complete -c memctl -n '__memctl_in show cat' -l plain -d 'Do not render Markdown on a terminal.'
complete -c memctl -n '__memctl_in show cat' -l null -s 0 -d 'NUL instead of line ends, in addresses read and printed.'
complete -c memctl -n '__memctl_in show cat' -l scope -x -a 'global workspace all' -d 'CodeWhale\'s native tree: global, workspace or all.'
complete -c memctl -n "__memctl_at '*' show cat" -a '(__memctl_addresses)'

# recall
complete -c memctl -n '__memctl_in recall' -l scope -x -a 'global workspace all' -d 'CodeWhale\'s native tree: global, workspace or all.'
complete -c memctl -n "__memctl_at 0 recall" -a '(__memctl_agents)'
complete -c memctl -n "__memctl_at 0 recall" -a @user

# explain
complete -c memctl -n '__memctl_in explain' -l rules -x -a '0.8.8 0.8.17 0.8.21 0.8.48 0.9.10' -d 'Follow this release of CodeWhale: 0.8.8, 0.8.21, 0.9.10.'
complete -c memctl -n "__memctl_at 0 explain" -a '(__memctl_addresses)'
complete -c memctl -n "__memctl_at 0 explain" -a @user
complete -c memctl -n "__memctl_at 0 explain" -a N001 -d 'a memory\'s file without front matter'
complete -c memctl -n "__memctl_at 0 explain" -a N002 -d 'front matter that no line "---" closes'
complete -c memctl -n "__memctl_at 0 explain" -a N003 -d 'a byte order mark before the front matter'
complete -c memctl -n "__memctl_at 0 explain" -a N004 -d 'a type that is not user, feedback, project or reference'
complete -c memctl -n "__memctl_at 0 explain" -a N005 -d 'a memory\'s file without a type'
complete -c memctl -n "__memctl_at 0 explain" -a N006 -d 'a name that is no memory\'s name'
complete -c memctl -n "__memctl_at 0 explain" -a N007 -d 'a name that ends in .md and is no regular file'
complete -c memctl -n "__memctl_at 0 explain" -a F001 -d 'a memory whose name is not that of its file'
complete -c memctl -n "__memctl_at 0 explain" -a F002 -d 'two files with one name'
complete -c memctl -n "__memctl_at 0 explain" -a F003 -d 'two file names that differ in case only'
complete -c memctl -n "__memctl_at 0 explain" -a F004 -d 'a memory in a file memory.md'
complete -c memctl -n "__memctl_at 0 explain" -a F005 -d 'a source that is not agent, sweep, user or import'
complete -c memctl -n "__memctl_at 0 explain" -a F006 -d 'a date that is none'
complete -c memctl -n "__memctl_at 0 explain" -a F007 -d 'a date in the future'
complete -c memctl -n "__memctl_at 0 explain" -a F008 -d 'a memory that was updated before it was created'
complete -c memctl -n "__memctl_at 0 explain" -a F009 -d 'a key that stands twice in the front matter'
complete -c memctl -n "__memctl_at 0 explain" -a F010 -d 'a key that the HQ does not know'
complete -c memctl -n "__memctl_at 0 explain" -a F011 -d 'a description that the HQ does not read as it stands, or that is empty'
complete -c memctl -n "__memctl_at 0 explain" -a F012 -d 'CRLF line ends'
complete -c memctl -n "__memctl_at 0 explain" -a F013 -d 'line ends of both kinds, or a lone CR'
complete -c memctl -n "__memctl_at 0 explain" -a F014 -d 'control characters'
complete -c memctl -n "__memctl_at 0 explain" -a F015 -d 'bytes that are not UTF-8'
complete -c memctl -n "__memctl_at 0 explain" -a F016 -d 'a file that does not end with exactly one line feed'
complete -c memctl -n "__memctl_at 0 explain" -a F017 -d 'a file that is no memory, or a copy of one: of a file sync, a file manager, an editor, a merge'
complete -c memctl -n "__memctl_at 0 explain" -a F018 -d 'a memory without content'
complete -c memctl -n "__memctl_at 0 explain" -a F019 -d 'a merge conflict that nobody resolved'
complete -c memctl -n "__memctl_at 0 explain" -a L001 -d 'more than 200 memories'
complete -c memctl -n "__memctl_at 0 explain" -a L002 -d '180 memories or more'
complete -c memctl -n "__memctl_at 0 explain" -a L003 -d 'a description of more than 200 characters, or of several lines'
complete -c memctl -n "__memctl_at 0 explain" -a L004 -d 'a content over the limit of its source'
complete -c memctl -n "__memctl_at 0 explain" -a L005 -d 'memories that the index does not list'
complete -c memctl -n "__memctl_at 0 explain" -a L006 -d 'an imported memory that was cut, edited or not'
complete -c memctl -n "__memctl_at 0 explain" -a L007 -d 'a user memory over 100 KiB'
complete -c memctl -n "__memctl_at 0 explain" -a I001 -d 'a store with memories and no MEMORY.md; one that is no file is an error'
complete -c memctl -n "__memctl_at 0 explain" -a I002 -d 'an index that is not what the memories give'
complete -c memctl -n "__memctl_at 0 explain" -a I003 -d 'an index with lines that no memory gives'
complete -c memctl -n "__memctl_at 0 explain" -a S001 -d 'a secret: a key, a token, a private key, a URL with a password'
complete -c memctl -n "__memctl_at 0 explain" -a S002 -d 'a secret that a sentence gives away'
complete -c memctl -n "__memctl_at 0 explain" -a S003 -d 'a random-looking word near a word such as key or token'
complete -c memctl -n "__memctl_at 0 explain" -a P001 -d 'a closing tag of a block of the prompt: </memory>, </recalled-memories>, </user_memory>, and what looks like one'
complete -c memctl -n "__memctl_at 0 explain" -a P002 -d 'text that instructs the model against its instructions'
complete -c memctl -n "__memctl_at 0 explain" -a P003 -d 'a line that looks like the header of another speaker'
complete -c memctl -n "__memctl_at 0 explain" -a P004 -d 'the syntax of a tool call'
complete -c memctl -n "__memctl_at 0 explain" -a P005 -d 'characters that turn the direction of text'
complete -c memctl -n "__memctl_at 0 explain" -a P006 -d 'characters that nobody sees'
complete -c memctl -n "__memctl_at 0 explain" -a P007 -d 'a word of letters of several scripts that look alike'
complete -c memctl -n "__memctl_at 0 explain" -a P008 -d 'a long run of base64 or hexadecimal digits'
complete -c memctl -n "__memctl_at 0 explain" -a A001 -d 'a file or directory that group or others can write: memories, memory/, the data folder, agents.json'
complete -c memctl -n "__memctl_at 0 explain" -a A002 -d 'a store that other users can read'
complete -c memctl -n "__memctl_at 0 explain" -a A003 -d 'a file with a secret that other users can read'
complete -c memctl -n "__memctl_at 0 explain" -a A004 -d 'a file that belongs to another user than its directory'
complete -c memctl -n "__memctl_at 0 explain" -a A005 -d 'a symlink that leads out of the store'
complete -c memctl -n "__memctl_at 0 explain" -a A006 -d 'a second name of MEMORY.md'
complete -c memctl -n "__memctl_at 0 explain" -a A007 -d 'a symlink to another file of the store'
complete -c memctl -n "__memctl_at 0 explain" -a A008 -d 'a file or directory that cannot be read, or a link in the place of a store that leads to nothing'
complete -c memctl -n "__memctl_at 0 explain" -a R001 -d 'a directory of an agent that the registry does not have'
complete -c memctl -n "__memctl_at 0 explain" -a R002 -d 'new memories of an agent whose automatic memory is off'
complete -c memctl -n "__memctl_at 0 explain" -a R003 -d 'a sweep mode that is not auto, on or off'
complete -c memctl -n "__memctl_at 0 explain" -a R004 -d 'an agents.json that cannot be read, has entries that are no agents, or one id twice (warning)'
complete -c memctl -n "__memctl_at 0 explain" -a R005 -d 'a key of CodeWhale\'s configuration in a place where it does not count, or one that does not exist'
complete -c memctl -n "__memctl_at 0 explain" -a R006 -d 'a user memory that CodeWhale does not load'
complete -c memctl -n "__memctl_at 0 explain" -a H001 -d 'memories that say the same, case, white space and the coding of characters ignored, within a store and across those of a run'
complete -c memctl -n "__memctl_at 0 explain" -a H002 -d 'memories that say nearly the same, punctuation ignored, within a store and across those of a run; not those that differ in a value'
complete -c memctl -n "__memctl_at 0 explain" -a H003 -d 'memories that give one subject different values, or that say or are said to be replaced'
complete -c memctl -n "__memctl_at 0 explain" -a H004 -d 'a memory that was not updated for long'
complete -c memctl -n "__memctl_at 0 explain" -a H005 -d 'a memory whose time is over'
complete -c memctl -n "__memctl_at 0 explain" -a H006 -d 'the status of a task, branch, pull request or deploy'
complete -c memctl -n "__memctl_at 0 explain" -a H007 -d 'a plan, a design, or the structure of code'
complete -c memctl -n "__memctl_at 0 explain" -a H008 -d 'a piece of a conversation: two speakers, lines of a chat, or talk about the talk'
complete -c memctl -n "__memctl_at 0 explain" -a H009 -d 'eight instructions or more in one memory, as a list or as sentences, or a note of more than a few sentences'
complete -c memctl -n "__memctl_at 0 explain" -a H010 -d 'a date that counts from a day that nobody knows any more'
complete -c memctl -n "__memctl_at 0 explain" -a H011 -d 'a [[link]] to a memory that is not there'
complete -c memctl -n "__memctl_at 0 explain" -a C001 -d 'memories that were there in what --against names, and are gone'
complete -c memctl -n "__memctl_at 0 explain" -a C002 -d 'a memory that lost most of its text since what --against names'

# edit
complete -c memctl -n '__memctl_in edit' -l description -x -d 'The new description.'
complete -c memctl -n '__memctl_in edit' -l type -s t -x -a 'user feedback project reference' -d 'user, feedback, project or reference.'
complete -c memctl -n '__memctl_in edit' -l content -x -d 'The new content; - reads standard input.'
complete -c memctl -n '__memctl_in edit' -l touch -d 'Set the date though nothing else changes.'
complete -c memctl -n '__memctl_in edit' -l dry-run -s n -d 'Change nothing, say what would be.'
complete -c memctl -n '__memctl_in edit' -l wait -x -d 'How long to wait for a lock.'
complete -c memctl -n '__memctl_in edit' -l no-lock -d 'Go on where the file system has no locks.'
complete -c memctl -n '__memctl_in edit' -l no-history -d 'Keep no images: then the change cannot be undone.'
complete -c memctl -n "__memctl_at '*' edit" -a '(__memctl_addresses)'

# delete
complete -c memctl -n '__memctl_in delete rm' -l dry-run -s n -d 'Change nothing, say what would be.'
complete -c memctl -n '__memctl_in delete rm' -l yes -s y -d 'Do not ask.'
complete -c memctl -n '__memctl_in delete rm' -l missing-ok -d 'A memory that is not there is no error.'
complete -c memctl -n '__memctl_in delete rm' -l null -s 0 -d 'NUL instead of line ends, in addresses read and printed.'
complete -c memctl -n '__memctl_in delete rm' -l wait -x -d 'How long to wait for a lock.'
complete -c memctl -n '__memctl_in delete rm' -l no-lock -d 'Go on where the file system has no locks.'
complete -c memctl -n '__memctl_in delete rm' -l no-history -d 'Keep no images: then the change cannot be undone.'
complete -c memctl -n "__memctl_at '*' delete rm" -a '(__memctl_addresses)'

# clear
complete -c memctl -n '__memctl_in clear' -l dry-run -s n -d 'Change nothing, say what would be.'
complete -c memctl -n '__memctl_in clear' -l yes -s y -d 'Do not ask.'
complete -c memctl -n '__memctl_in clear' -l wait -x -d 'How long to wait for a lock.'
complete -c memctl -n '__memctl_in clear' -l no-lock -d 'Go on where the file system has no locks.'
complete -c memctl -n '__memctl_in clear' -l no-history -d 'Keep no images: then the change cannot be undone.'
complete -c memctl -n "__memctl_at 0 clear" -a '(__memctl_agents)'
complete -c memctl -n "__memctl_at 0 clear" -a @user

# remember
complete -c memctl -n '__memctl_in remember' -l literal -d 'Write what CodeWhale\'s composer would not take: ##, #!, several lines.'
complete -c memctl -n '__memctl_in remember' -l dry-run -s n -d 'Change nothing, say what would be.'
complete -c memctl -n '__memctl_in remember' -l wait -x -d 'How long to wait for a lock.'
complete -c memctl -n '__memctl_in remember' -l no-lock -d 'Go on where the file system has no locks.'
complete -c memctl -n '__memctl_in remember' -l no-history -d 'Keep no images: then the change cannot be undone.'

# path
complete -c memctl -n "__memctl_at '*' path" -a '(__memctl_addresses)'
complete -c memctl -n "__memctl_at '*' path" -a @user

# undo
complete -c memctl -n '__memctl_in undo' -l force -d 'Overwrite files that changed since; what they hold now is kept too.'
complete -c memctl -n '__memctl_in undo' -l dry-run -s n -d 'Change nothing, say what would be.'
complete -c memctl -n '__memctl_in undo' -l yes -s y -d 'Do not ask.'
complete -c memctl -n '__memctl_in undo' -l wait -x -d 'How long to wait for a lock.'
complete -c memctl -n '__memctl_in undo' -l no-lock -d 'Go on where the file system has no locks.'

# redo
complete -c memctl -n '__memctl_in redo' -l force -d 'Overwrite files that changed since; what they hold now is kept too.'
complete -c memctl -n '__memctl_in redo' -l dry-run -s n -d 'Change nothing, say what would be.'
complete -c memctl -n '__memctl_in redo' -l yes -s y -d 'Do not ask.'
complete -c memctl -n '__memctl_in redo' -l wait -x -d 'How long to wait for a lock.'
complete -c memctl -n '__memctl_in redo' -l no-lock -d 'Go on where the file system has no locks.'

# history
complete -c memctl -n '__memctl_in history' -l show -x -d 'One change, with diffs.'
complete -c memctl -n '__memctl_in history' -l forget -x -d 'Remove a change and its images for good.'
complete -c memctl -n '__memctl_in history' -l prune -d 'Remove old changes, by the options below or settings.'
complete -c memctl -n '__memctl_in history' -l days -x -d 'With --prune: older than N days.'
complete -c memctl -n '__memctl_in history' -l number -x -d 'With --prune: beyond the newest N.'
complete -c memctl -n '__memctl_in history' -l mb -x -d 'With --prune: over N megabytes of images.'
complete -c memctl -n '__memctl_in history' -l yes -s y -d 'Do not ask.'
complete -c memctl -n '__memctl_in history' -l wait -x -d 'How long to wait for a lock.'
complete -c memctl -n "__memctl_at 0 history" -a '(__memctl_agents)'
complete -c memctl -n "__memctl_at 0 history" -a @user

# check
complete -c memctl -n '__memctl_in check' -l all -s A -d 'Every agent of every root.'
complete -c memctl -n '__memctl_in check' -l null -s 0 -d 'NUL instead of line ends, in addresses read and printed.'
complete -c memctl -n '__memctl_in check' -l select -x -a 'N F L I S P A R H C N001 N002 N003 N004 N005 N006 N007 F001 F002 F003 F004 F005 F006 F007 F008 F009 F010 F011 F012 F013 F014 F015 F016 F017 F018 F019 L001 L002 L003 L004 L005 L006 L007 I001 I002 I003 S001 S002 S003 P001 P002 P003 P004 P005 P006 P007 P008 A001 A002 A003 A004 A005 A006 A007 A008 R001 R002 R003 R004 R005 R006 H001 H002 H003 H004 H005 H006 H007 H008 H009 H010 H011 C001 C002 ALL' -d 'Only these rules: N, F0, L004, a slug, ALL. Repeatable.'
complete -c memctl -n '__memctl_in check' -l ignore -x -a 'N F L I S P A R H C N001 N002 N003 N004 N005 N006 N007 F001 F002 F003 F004 F005 F006 F007 F008 F009 F010 F011 F012 F013 F014 F015 F016 F017 F018 F019 L001 L002 L003 L004 L005 L006 L007 I001 I002 I003 S001 S002 S003 P001 P002 P003 P004 P005 P006 P007 P008 A001 A002 A003 A004 A005 A006 A007 A008 R001 R002 R003 R004 R005 R006 H001 H002 H003 H004 H005 H006 H007 H008 H009 H010 H011 C001 C002 ALL' -d 'Not these rules. Repeatable.'
complete -c memctl -n '__memctl_in check' -l list-rules -d 'Show the rules, and which are on.'
complete -c memctl -n '__memctl_in check' -l severity -x -a 'error warning info' -d 'Show only from error, warning or info on.'
complete -c memctl -n '__memctl_in check' -l fail-on -x -a 'error warning info' -d 'Exit with 1 from error, warning or info on, or never.'
complete -c memctl -n '__memctl_in check' -l exit-zero -d 'Exit with 0 whatever is found.'
complete -c memctl -n '__memctl_in check' -l allow-empty -d 'Nothing to check is no error.'
complete -c memctl -n '__memctl_in check' -l output -s o -x -a 'text= json= jsonl= github= sarif= junit=' -d 'Write a format into a file as well. Repeatable.'
complete -c memctl -n '__memctl_in check' -l baseline -r -F -d 'Report only what is not in this file of findings.'
complete -c memctl -n '__memctl_in check' -l write-baseline -d 'Write all that is found into that file.'
complete -c memctl -n '__memctl_in check' -l against -x -a '(__fish_complete_directories)' -d 'Report only what is new since a commit of git or a copy, and memories that are gone.'
complete -c memctl -n '__memctl_in check' -l max-removed -x -d 'So many memories may be gone since: N, or N%, per agent and run.'
complete -c memctl -n '__memctl_in check' -l fix -d 'Mend what can be mended without changing a word.'
complete -c memctl -n '__memctl_in check' -l unsafe-fixes -d 'Rename, take stray files out and redact as well.'
complete -c memctl -n '__memctl_in check' -l diff -d 'Show what would be mended, exit 1 if anything.'
complete -c memctl -n '__memctl_in check' -l dry-run -s n -d 'Change nothing, say what would be.'
complete -c memctl -n '__memctl_in check' -l wait -x -d 'How long to wait for a lock.'
complete -c memctl -n '__memctl_in check' -l no-lock -d 'Go on where the file system has no locks.'
complete -c memctl -n '__memctl_in check' -l no-history -d 'Keep no images: then the change cannot be undone.'
complete -c memctl -n '__memctl_in check' -l jobs -x -d 'How many processes read.'
complete -c memctl -n '__memctl_in check' -l shard -x -d 'Only the K-th of N parts of the agents.'
complete -c memctl -n "__memctl_at '*' check" -F
complete -c memctl -n "__memctl_at '*' check" -a '(__memctl_ask)'
complete -c memctl -n "__memctl_at '*' check" -a @user

# reindex
complete -c memctl -n '__memctl_in reindex' -l all -s A -d 'Every agent of every root.'
complete -c memctl -n '__memctl_in reindex' -l check -d 'Write nothing; exit 1 with a diff where it is stale.'
complete -c memctl -n '__memctl_in reindex' -l dry-run -s n -d 'Change nothing, say what would be.'
complete -c memctl -n '__memctl_in reindex' -l wait -x -d 'How long to wait for a lock.'
complete -c memctl -n '__memctl_in reindex' -l no-lock -d 'Go on where the file system has no locks.'
complete -c memctl -n '__memctl_in reindex' -l no-history -d 'Keep no images: then the change cannot be undone.'
complete -c memctl -n '__memctl_in reindex' -l jobs -x -d 'How many processes read.'
complete -c memctl -n '__memctl_in reindex' -l shard -x -d 'Only the K-th of N parts of the agents.'
complete -c memctl -n "__memctl_at '*' reindex" -a '(__memctl_agents)'

# prune
complete -c memctl -n '__memctl_in prune' -l all -s A -d 'Every agent of every root.'
complete -c memctl -n '__memctl_in prune' -l older-than -x -d 'Not updated for AGE: 180d, 6mo, a date.'
complete -c memctl -n '__memctl_in prune' -l over -x -d 'Beyond the newest N of an agent.'
complete -c memctl -n '__memctl_in prune' -l orphans -d 'Of no agent in the registry any more; the directory goes with its last memory.'
complete -c memctl -n '__memctl_in prune' -l type -s t -x -a 'user feedback project reference' -d 'user, feedback, project or reference. Repeatable.'
complete -c memctl -n '__memctl_in prune' -l source -s s -x -a 'agent sweep user import' -d 'agent, sweep, user or import. Repeatable.'
complete -c memctl -n '__memctl_in prune' -l name -x -d 'Name fits a shell pattern. Repeatable.'
complete -c memctl -n '__memctl_in prune' -l matching -x -d 'Name, description or content holds TEXT, case ignored.'
complete -c memctl -n '__memctl_in prune' -l keep-last -x -d 'The newest N of an agent stay.'
complete -c memctl -n '__memctl_in prune' -l keep-within -x -d 'What was updated within AGE stays.'
complete -c memctl -n '__memctl_in prune' -l include-user-authored -d 'Memories that a person wrote or imported may go too.'
complete -c memctl -n '__memctl_in prune' -l no-floor -d 'Even the newest memory of an agent may go.'
complete -c memctl -n '__memctl_in prune' -l max-removed -x -d 'Remove nothing at all if more would go: N, or N%, per agent and run.'
complete -c memctl -n '__memctl_in prune' -l dry-run -s n -d 'Change nothing, say what would be.'
complete -c memctl -n '__memctl_in prune' -l yes -s y -d 'Do not ask.'
complete -c memctl -n '__memctl_in prune' -l wait -x -d 'How long to wait for a lock.'
complete -c memctl -n '__memctl_in prune' -l no-lock -d 'Go on where the file system has no locks.'
complete -c memctl -n '__memctl_in prune' -l no-history -d 'Keep no images: then the change cannot be undone.'
complete -c memctl -n '__memctl_in prune' -l jobs -x -d 'How many processes read.'
complete -c memctl -n '__memctl_in prune' -l shard -x -d 'Only the K-th of N parts of the agents.'
complete -c memctl -n "__memctl_at '*' prune" -a '(__memctl_agents)'

# import-legacy
complete -c memctl -n '__memctl_in import-legacy' -l all -s A -d 'Every agent of every root.'
complete -c memctl -n '__memctl_in import-legacy' -l workspace -x -a '(__fish_complete_directories)' -d 'Its MEMORY.md, not that of the registry\'s workspace.'
complete -c memctl -n '__memctl_in import-legacy' -l file -r -F -d 'This file.'
complete -c memctl -n '__memctl_in import-legacy' -l force -d 'Import though it was done before.'
complete -c memctl -n '__memctl_in import-legacy' -l dry-run -s n -d 'Change nothing, say what would be.'
complete -c memctl -n '__memctl_in import-legacy' -l wait -x -d 'How long to wait for a lock.'
complete -c memctl -n '__memctl_in import-legacy' -l no-lock -d 'Go on where the file system has no locks.'
complete -c memctl -n '__memctl_in import-legacy' -l no-history -d 'Keep no images: then the change cannot be undone.'
complete -c memctl -n '__memctl_in import-legacy' -l jobs -x -d 'How many processes read.'
complete -c memctl -n '__memctl_in import-legacy' -l shard -x -d 'Only the K-th of N parts of the agents.'
complete -c memctl -n "__memctl_at '*' import-legacy" -a '(__memctl_agents)'

# sweep-mode
complete -c memctl -n '__memctl_in sweep-mode' -l all -s A -d 'Every agent of every root.'
complete -c memctl -n '__memctl_in sweep-mode' -l dry-run -s n -d 'Change nothing, say what would be.'
complete -c memctl -n '__memctl_in sweep-mode' -l hq-stopped -d 'Your word that no HQ runs for this data folder.'
complete -c memctl -n '__memctl_in sweep-mode' -l wait -x -d 'How long to wait for a lock.'
complete -c memctl -n '__memctl_in sweep-mode' -l no-lock -d 'Go on where the file system has no locks.'
complete -c memctl -n '__memctl_in sweep-mode' -l no-history -d 'Keep no images: then the change cannot be undone.'
complete -c memctl -n '__memctl_in sweep-mode' -l jobs -x -d 'How many processes read.'
complete -c memctl -n '__memctl_in sweep-mode' -l shard -x -d 'Only the K-th of N parts of the agents.'
complete -c memctl -n "__memctl_at '*' sweep-mode" -a '(__memctl_agents)'
complete -c memctl -n "__memctl_at '*' sweep-mode" -a auto
complete -c memctl -n "__memctl_at '*' sweep-mode" -a on
complete -c memctl -n "__memctl_at '*' sweep-mode" -a off

# auto-memory
complete -c memctl -n '__memctl_in auto-memory' -l all -s A -d 'Every agent of every root.'
complete -c memctl -n '__memctl_in auto-memory' -l dry-run -s n -d 'Change nothing, say what would be.'
complete -c memctl -n '__memctl_in auto-memory' -l hq-stopped -d 'Your word that no HQ runs for this data folder.'
complete -c memctl -n '__memctl_in auto-memory' -l wait -x -d 'How long to wait for a lock.'
complete -c memctl -n '__memctl_in auto-memory' -l no-lock -d 'Go on where the file system has no locks.'
complete -c memctl -n '__memctl_in auto-memory' -l no-history -d 'Keep no images: then the change cannot be undone.'
complete -c memctl -n '__memctl_in auto-memory' -l jobs -x -d 'How many processes read.'
complete -c memctl -n '__memctl_in auto-memory' -l shard -x -d 'Only the K-th of N parts of the agents.'
complete -c memctl -n "__memctl_at '*' auto-memory" -a '(__memctl_agents)'
complete -c memctl -n "__memctl_at '*' auto-memory" -a on
complete -c memctl -n "__memctl_at '*' auto-memory" -a off

# prompt
complete -c memctl -n '__memctl_in prompt' -l rules -x -a '0.8.8 0.8.17 0.8.21 0.8.48 0.9.10' -d 'Follow this release of CodeWhale: 0.8.8, 0.8.21, 0.9.10.'
complete -c memctl -n '__memctl_in prompt' -l scope -x -a 'global workspace all' -d 'CodeWhale\'s native tree: global, workspace or all.'
complete -c memctl -n "__memctl_at 0 prompt" -a @user

# config
complete -c memctl -n '__memctl_in config' -l dry-run -s n -d 'Change nothing, say what would be.'
complete -c memctl -n '__memctl_in config' -l wait -x -d 'How long to wait for a lock.'
complete -c memctl -n '__memctl_in config' -l no-lock -d 'Go on where the file system has no locks.'
complete -c memctl -n '__memctl_in config' -l no-history -d 'Keep no images: then the change cannot be undone.'
complete -c memctl -n "__memctl_at 0 config" -a show
complete -c memctl -n "__memctl_at 0 config" -a set
complete -c memctl -n "__memctl_at 0 config" -a path
complete -c memctl -n "__memctl_at 1 config" -a roots -d 'where the memories are; empty: the places of the HQ that exist'
complete -c memctl -n "__memctl_at 1 config" -a user_memory -d 'the user memory; none: where CodeWhale keeps it'
complete -c memctl -n "__memctl_at 1 config" -a agent -d 'the agent that a NAME alone belongs to'
complete -c memctl -n "__memctl_at 1 config" -a color -d 'when to colour the output'
complete -c memctl -n "__memctl_at 1 config" -a pager -d 'the command line of the pager; empty: no pager'
complete -c memctl -n "__memctl_at 1 config" -a editor -d 'the editor; none: $VISUAL, then $EDITOR'
complete -c memctl -n "__memctl_at 1 config" -a jobs -d 'workers that read at a time; none: the processors'
complete -c memctl -n "__memctl_at 1 config" -a history_days -d 'how many days the history keeps a change'
complete -c memctl -n "__memctl_at 1 config" -a history_mb -d 'how many megabytes of images the history keeps'
complete -c memctl -n "__memctl_at 1 config" -a wait -d 'how many seconds to wait for a lock'
complete -c memctl -n "__memctl_at 2 config" -F

# completion
complete -c memctl -n "__memctl_at 0 completion" -a bash
complete -c memctl -n "__memctl_at 0 completion" -a zsh
complete -c memctl -n "__memctl_at 0 completion" -a fish

# demo
complete -c memctl -n '__memctl_in demo' -l dry-run -s n -d 'Change nothing, say what would be.'
complete -c memctl -n "__memctl_at 0 demo" -a '(__fish_complete_directories)'

# help
complete -c memctl -n "__memctl_at 0 help" -a list -d 'List memories in groups by type.'
complete -c memctl -n "__memctl_at 0 help" -a show -d 'Show memories in full, or an agent\'s card.'
complete -c memctl -n "__memctl_at 0 help" -a recall -d 'Show the memories that fit a message.'
complete -c memctl -n "__memctl_at 0 help" -a explain -d 'Explain a rule, an exit code, a memory, or the user memory.'
complete -c memctl -n "__memctl_at 0 help" -a edit -d 'Edit a memory, in your editor or by options.'
complete -c memctl -n "__memctl_at 0 help" -a delete -d 'Delete memories.'
complete -c memctl -n "__memctl_at 0 help" -a clear -d 'Remove all memories of an agent, or empty the user memory.'
complete -c memctl -n "__memctl_at 0 help" -a remember -d 'Append notes to the user memory.'
complete -c memctl -n "__memctl_at 0 help" -a path -d 'Print where memories are.'
complete -c memctl -n "__memctl_at 0 help" -a undo -d 'Take back what memctl changed.'
complete -c memctl -n "__memctl_at 0 help" -a redo -d 'Do again what the last undo took back.'
complete -c memctl -n "__memctl_at 0 help" -a history -d 'Show what memctl changed, the newest first.'
complete -c memctl -n "__memctl_at 0 help" -a check -d 'Find what is wrong with memories: the linter for CI.'
complete -c memctl -n "__memctl_at 0 help" -a reindex -d 'Render MEMORY.md anew where it is stale.'
complete -c memctl -n "__memctl_at 0 help" -a prune -d 'Remove memories by a policy, with the reason for each.'
complete -c memctl -n "__memctl_at 0 help" -a import-legacy -d 'Import the old MEMORY.md of a workspace.'
complete -c memctl -n "__memctl_at 0 help" -a sweep-mode -d 'Show or set the mode of the post-turn sweep.'
complete -c memctl -n "__memctl_at 0 help" -a auto-memory -d 'Show or set automatic memory.'
complete -c memctl -n "__memctl_at 0 help" -a prompt -d 'Print the block that CodeWhale injects for the user memory.'
complete -c memctl -n "__memctl_at 0 help" -a config -d 'Show or set memctl\'s own settings.'
complete -c memctl -n "__memctl_at 0 help" -a completion -d 'Print the completion script of a shell.'
complete -c memctl -n "__memctl_at 0 help" -a demo -d 'Write a small data folder to try memctl on.'
complete -c memctl -n "__memctl_at 0 help" -a help -d 'Show help on a command or a topic.'
complete -c memctl -n "__memctl_at 0 help" -a addresses -d 'A topic.'
complete -c memctl -n "__memctl_at 0 help" -a exit-codes -d 'A topic.'
complete -c memctl -n "__memctl_at 0 help" -a policies -d 'A topic.'
complete -c memctl -n "__memctl_at 0 help" -a cron -d 'A topic.'
complete -c memctl -n "__memctl_at 0 help" -a safety -d 'A topic.'
