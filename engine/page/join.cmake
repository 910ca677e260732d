# join.cmake - the parts of the page, one behind the other, as an array of C:
#   cmake -DPARTS=a,b,c -DOUT=page_html.c -P join.cmake
string(REPLACE "," ";" PARTS "${PARTS}")
set(hex "")
foreach(part IN LISTS PARTS)
  file(READ ${part} text HEX)
  string(APPEND hex "${text}")
endforeach()
string(LENGTH "${hex}" digits)
math(EXPR bytes "${digits} / 2")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," body "${hex}")
string(REGEX REPLACE "((0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,))" "\\1\n" body "${body}")
file(WRITE ${OUT} "/* Made from engine/page. */
#include \"outputs/page.h\"
const unsigned char ria_page_html[] = {
${body}};
const size_t ria_page_html_size = ${bytes};
")
