"""Best play over all deals, made by `python -m tests.counted.caribbean_best`: it is not written by hand.

SUMS     {rank of the open card: what all deals bring by best play, by the best without exchange}, as counted
CHOICES  the best choices, as `engine.games.caribbean_choices` reads them
"""

SUMS = {
    "2": (2841030868395, 2095137104928),
    "3": (2256749752668, 1519701563310),
    "4": (1668530500881, 944237904456),
    "5": (1074917579709, 367988045586),
    "6": (514570375317, -164159080596),
    "7": (-47813997900, -698285412930),
    "8": (-617587784640, -1235921693748),
    "9": (-1195717910931, -1778141144598),
    "T": (-1819187523222, -2347661173620),
    "J": (-2346196172769, -2859329151210),
    "Q": (-2880713938224, -3380031482184),
    "K": (-646510572834, -1401261242850),
    "A": (-1262765401953, -1996689816450),
}
CHOICES = """
c-rmVTav0g5C`zBd}}!A1bm`=)hDZF4ZVQg|HCKzZRHX!GKnzQbE*y^$OKF}-ClkplJDnV=O5O`?~?8vuRXgfotvFs^xAo}4ZUCY@6BKLZ|>LSJ9Mf8
{jLQ|cI{v1?&jE??UjF#e&p`|^j7Q6!ClFJ=>AV{>5qRb3;E~B7iF_3PtD@=*mh~wF4typy)}#5PqX-u!1aw#U{PXm!s3j@1&b>dH!OZcni~ZkQs5y4
9#Y^T1s+o1A%#Aq#J(l=EwOKjeM{_H>b@uJbiz(2>~z9TC*A3Mk!FFdXKX#|)(h^w;O>jweZ~4!*Y8)Pbv^y_3O5(X;{thHAdd^=ae+K8kjDk`xIkVn
kjDk`xIi8k$m0TeTp*7N<n;o1Tp*7N<Z*#KE|A9s@_K<hE|A9s^0+`A7s%@c^0+`A7s%rRdA&d$7s%rRdA&d$7s%@c^0+{QpL$!sNd}x`z)1$2WWY%V
oMh0G3^>VvlMFb?fRhY3$)G10aFPKh8E}#TCmHl415PsFBm+(|=t%~gWWY%VJ;{KR40@6wdXn{)0_`o(-U96{(B1;=EwsG_+FPK#1=?Gny@j^7Kzj?c
w?KOfZEu107HDsw?JdyWLfczJ+FRdWq6H;dP@)ATT2N{WO0=Lv3re)0)E1OzL5UWW+JX`-D76LUpau24Cmi~OL!WTylOFnnL!WTylOFnnL!b1}r@^8B
xicPm#zW7SpU2(zu+}Ud4?TAtTHkZQ!7sYUrL{-BejVxF!;qW)ClYk-lMo^35P}XN=n#SqA?Of-4k74}1|34sAp{*l&>;jJLeL=u9nzpf2s(tILkK#A
phE~cq(O%ebO=F*5OfGZhcxIAf({|*5P}YA&>;jJLeL=%I)tD@8gytP=n#SqA?Of-4k73ef({|*kOmz>&>;jJLeL=u9YW9{4LXFNLkK#AphE~cq(O%e
bO=F*5Ohd`4k73ef(~iWAp{-LphKfUhY)lKL5C1@2tkJsbV!2^A?Of-4k73ef(~iWAp{*l&>;jJ(x5{KI)tD@8gvLjhcxKWNYEh!9YW9{1RX-qAq_f&
phE~cgrGwjbO=F*5Ohd`4k74}1|5n99YW9{1RX-qAq_f&phE~cq(O%ebV!2^MS>0?=n#SqY0x1A9nzpfgP=nQI;25|dO?TAf=>3IdwB5}KOW=9WBhoG
ACK|lF@C&`ACK|lF@8M8kH`4&7(ZUekH`4&7(X84$7B3>9X}r9$7B3>j32M#$7B3>j32M#$7B3>9Y20_{CJEXkMZL%emusH$N2F&emusH$N2FWKOW=9
>-g~)KOW=9WBhm>KOW=9WBhm>KOW=9>-g~_<HuwCc#I#9@#8UmypA7_@#8UmJjRdL@#8UmJjRdL@#8UmypA6q9X}r9$7B3>j32M#$7B3>j32M#$7B3>
9X~!YemusH$N2F&emusH*YV>A<HuwCcpX2!H-7v_#?O7M1azc;jug<50y<JaM+(}J0y<JaM+)dj_r<L_&PjJ_u60013g}2dJ5oSL3g}2dJ5oSL3fhsv
NJk3jNC6!wpd;NEO$)Rm1$3l<jug<5f_9{Ujug<5f_9{Ujuf;bg=j|#=tuz_DWD?-?MML~DWD?-?MML~DQHIuk&YD5kpenW(2f+)k%D%lFz84D9Vuu>
3cZdLGIXT-Veh@>{I6MDuy)1bhC6>AJ2h9Uz!Op6i751mDDXtw7kJP`@4jNUtFFhMhyqVUfhVHC6H(|BQQ(QVFPcN^6H(xaDD;UaB2PqtC!)X;QRov<
;E5>oi6{n7M1d!w&?lnkJrPBMC*ppX5+`2b#7mrbsV9DaI<Ehk#SII+`-<J_wly1uCtl*jOPqMACtl*jOFi*&aN;FSyu9eadnaD5Jn?@gwCIEuowP+K
wCJQQI(1ugZ^8W{+_3n0the^4*B7_wzVjIeJL|#Dy@Q=+4tC$=vQaXmFXvUm7xS|GHv7r;!e})t+Y{F4zV|!AV_Ax;YxGmIIGvltJ^a**%e7hDhhn|B
_ixwK==ZYTp+<M8(H&}ZhZ^0XMt7*uo!00MHM&EM?ogvU)aVX1y3-onp+<M8(H&}ZhZ@~!jqd6i9SdwdW9wPBUU2sXcVG1GE7q^Nj&U1$7pytSfRhY3
$$*m#ILUyM3^>W4CmC>(0Vf%7k^v_faFRh!GT<ZwPBP#m15PsNNd}x`z)1$2WYCigILUyM40@6QCmHl4$7&3R8r`8rcc{@FYIKJh-D!>PP@_B4=ngfy
LyhjVMz3E($5ynrKzj>qZ-Mp}Xm6qIEzsUV+Z#^}9cpxk8r`8rcc{^w*68&s^Vo_OlxRVzEhy1~5-ljT1tnTgY71f+N&R~M1&b>dH!L2HIpNSJ9Qve(
KH<<OJ#>F!uJ1eJp=UhwF%8!531D3x+Mk#mYILVHy6e^GZmdT4sRPVl{M;ud)aVX1x<ifbP@_B4=ngfy(;D5OMt7*u9cpxk8r`8rcUq%6)aVX1x<ifb
P@_Ao(d&0Pu=R|sXKX#|)(h^w;O>jweZ~4!*P~al5{DYyp+<M8(H&}ZhZ@~!jqXsRJJje7HM&EM?zBd)-(ta5v=`$?YjlSi-JwQzTBAGE=uT^NH&UZJ
)aVX1x<ifbP@_Ao(d##EuoW%9_|Y2Op+<M8(Vf=l4mG;d8r?-}^!n|d3l>)_Zdg1XgYknJ-D!>PP@_Ao(VdTsAJpg$HM-Lpy?)CG>-x~a_(6^Cv_^Nm
8r^-SM!%00)aVX1x<ifbP@~t28+Jh>QKLK5=nge{y}(W<-RX?2XKZb*wbtkkHM&EM?zBdCsL`F)=x(G&cc{@FYIKJhy<Rje(2f+)kx-*M)aXuYbcY(<
p+<LFqdU~-PHS`*t<meZ)Gk<DvAALJcnmrcYILVHx<ifbv_^L!(veW3JJje-YxMeUIjrkL2OSADy3-on^=fpNr$(>e*E_pralzUZiyQ9zdF*t?)-$#?
S4(SjhZ?<J;6WF?`-<JJx*mHX3Oo_0(H&}Zr!~4mjb1OBL+cZP8r^A)?uy70fg0VRMt54H*Y7uCT^~AlB2c3{t<hbtMt5my^!hEz3l>)_Zdm+0wqCBT
S=_MDyRX=-Zd<cqc;cwh9cpx^HG2IvC)OXQHK@@YYIKJhy*_yF#Mjm6_Xnazcc{^w*68)Sqga2ms8^%kTTs{NSo}QJTYJ>&i(7Qx`HX{|^<d}T!RBi8
`z{}>(Wzg;QMx04>yPhet-noTLoaJB9?O%|Z(iSP;d*heh3mz=7OoffTDV@^`w=xc>pj0E<gA38m5{R%a#ljlN}970a#ljlO2}CWIV)+-O2}CWIV&M&
CCyn0IV&M&CCyn0IV)+-N}974ol`6;A>^!toRyHX5^`2T&PtlI5^`2T&PvEx2{|ii&PvEx2{|hvXC=*92{|hvXC=*92{|ii&PpRWD<Nkk<gA38m5{TN
=B$LAm5{R%a#qrum5{R%a#qrum5{TN=ByOWSqV8SA!jAztfV<BA!jAztfV<BA!jAcSt*jU5^`2T&PtlI5^`43oRtPSD<Nkk%~`3Jv(iY;8h$xidL8K=
;gGWua#ljlO2}F3#SOclk;qvIIV&M&trytoq&uCl^^C2}wbq=Kkh2nUR??i6kh7BJtTd9d5^`2T&PvEx>qXN7?MTR32{|hvXC=*92{|hvXC=*92{|ii
&Pvgom5{R%a#ljlN}970a#ljlN}970a#qrul_EJSA!jAztfV<BA!jAcS!s~75^`43oRxYxE9J>q>zAC))GRJoyJB&}oj;GA&e(d!*5+zy&PvEx>jfTk
(YvqM?W*gsCjvPuA!jAztfV<BA!n@@&7t*)K+Z~<vr;5yCFHDxoRu_ZCFHE6IV%lvRzl87nzK?bXQebbD<Nkk<gA38l{9CqUsStNv$$cQcVDqv-L_`K
@Whd`5^`43oRyHXlIE;5$XN+FD<NmC58gZRwK*#xXC>sUq&X`gXC=*9sh6|fTTth$So}QJTYJ>&i(7Qx`HX{|^<d}T!RB(-`!1Pt)?QBK*B|GP{q%Cb
@cwMro)62%@+|dhp7)foUffg0dT~z~>&5+P^v!Hou{7Cb)hsSpyJGF;n?=((J!V6X+0bJ)^g0`Q%!VGbq1V~aV>a|U8+x4$tM==b_5ID8%pS90y=a<Q
q6MY4phOEww4g)_N^L=j7L;f~sVykcf>K)$3&I|=p~r0KF&lcF4LxQ<kJ-@cZ0Io?dYuh@WH$7e4LxQ<ud|`YZ0L11^n=;ZV>a|U8~WaC=;O0t@ovZI
JQ4T)QqP9IS=9Zdz!Op6iO|{5V>a}d4LxQ<ud|`YY*;Vwpo`vp#co$!k3A8X4LxQ<kJ-@cZ0Io?){ExQ`b1zh^g0{*$ZY5_8+y!!US~s(+0g53=m)c*
$86|zHuSyO(5IOVJ!V6X+0bJ)^g0{X<;K-FiyIbt_Z7R<ZEH3RPaLzM$86|zHuRVcz0QVyFdKTzh90wFeem9iubmA&W<!tJ(CcjIF&lcF4SjDmytkm9
4YBxnthe^4*B7_wzVjIeJL|#Dy@SoohWA}^%!VO034}F||IAMji#=0esBGOjou#hY?x8;*;sivTdU0!YnSh8B5OM0ot$8FyM?l1>7q`$X^zQ4eIb{6|
HwW!LT^05^;m{`>`h-KD^w1|9`h-KD^w1|9`lN>*4!nSf6A*ENMx20%6Exz4LBt7&I6)&$=tZ0`8F8v*LH~XjM4W(#Q!nZh*N9Wk#MjU)ZdmBu&50x8
G#iE|j))Twae_vifQS<`;)FrO35YlW5vM+Q@5I+eoPdZE5OIP=oPdZEG~$F_#JRVijyPESJl0!#)a#2|bl>@mgPrwY=ib5QBF=r6lo6+h4%OnFmtEHU
RJ|w=>$cV7h0l8iTcDd3=%xj_X@PEfl_qKw&7vJI3Ut$=e2mYc>89P@R-l{Ki{^-rPEnwn7TQgVK{u_VO>^+(d8~hVx0@ET-L#5#(*oVJUeqnpZd#z5
7TQgVUN^nBpzfwv{5;lMd(`WTyUl&)GY)pvgPnT^o9m|cT~c<_>e*MSg?(#k`zf|3OWnz?=Vo!kqG^ALOJCyBHyd6jcBy-D-T&^Lp~R)vpP%OpS1!Nw
_nqrYkHybpz4hRFedb{IUDD?yr+0R(uj37i=8By<r%-Q*x9<|U?<PNs`$+YCN~_LMFF5q|{_oa$cAkg6j{lxkldjXP`R`N7*1vJ{VDhf1)!5Bd>Oz)Z
m+#Q24z%`x%Xdw#F1Xge$eq2rUTeeE)=K2&#QV^OE*QFC=z^gOhAw1B7pga28TegM*Zv*VA<zZ>26Tb{7`nilqYIo5UEt*C0>{yX3g`kGy6{_cfis~C
RVH+SH%AvZAG*NF(FKm93l-1>J_fq*Zw<P@o1+Vy4_)Bo=mJlo3;d_i1<r>qaB_5kC(#Ao3%bC`(FLAF7kC47fhW-gHgsX^M_-Ct_{!U_f7|pO?$_rr
bs+av3)fu{_sa{i;xPJZD7Ej(^odG8_<+dYmKNk2qy_n7(t>O*El56TL6S=gGAS*HNejP~79^9jz?q~4*<4zXeA0p>mlkAFT99K%3%o{Jkj<q9$tNvH
a%n*(r3LxZ(t_lZ79_c}Ad}L9>_u9T<kEsnN(-`qv>=nxf|#^0_X(HO6`e^7$&y%;7ED?&X<_M)Ned<|q{vxKS}<wh`9PBvW)5M}LY^O!7ED^`J<y~D
lNL-`=*$f!ExiBESMDE^7ED^`ow!L0@eI$Tg;xhPX<^t+O<IUwERz<V+f7=C{+vx(FloW0g{9I$hgx|03JdO<T8-UoFPaY_8?}(1T8Mn>`4H3se*?9^
e~en-&8Y>>M=fx2YJua_0)txMEYt#h;G;Sb-sKR|f_#ItAb(6+kj<q9$tNvHa%n;0(t<!*5R(>6S}<wBqy>`}TEG93(n4j@!ak&h%A^I87XFH~F!^d;
`WNoTe_Ogkr#jHu2QJ@rdUNc~_KJ&rva(;Io4H`-f|(1$)|$DH$XrMcul5gE?Z{l<Oy)wB$z0&g%>~Y9E^u;lf#c>v1#^LqVJ^5e<^peSE^t0`fs>mH
95)v#m<#-;%>~Y9E^u;lf#c>v1#^M-VlHrUbAcz#1>V41;7N0V&0L68a_Q?hlNJW=Hn06jAT3BPX+iQx3l(RQ7G!g2LGnopl3ZGlNohfjAuaG4X+buZ
79^jvAjzc#nUogfPfH7uPg;=V(t=D%3$hn!L6S=gGAS*{2GW8|N(*Ar!e~xq(!%oD(4+;E7ED?&X~Cq0g%gcQ3rT)VS}<v$cj6{3#4|jT7G53Hq=jKO
HEAJ!u}oTcZvU{fP(6m>(w{v@3+K*JO<FK%!K8)Ad(PWQ3;ln;mKLf*NDG`wT8Mn>`4G}VWzvF43nneREiFVs?%W+?EBzb#pHT~cnp)sLMlJB>)B@+D
7C1Szz;SAUK`rp#q!xB0El4J5fip=9vbnS%`J@F&E-gr0S`bJJV$y<13nnd?w4mGnptMl!PFko;T3G&L(!yVt7Cuy>8?`V=EmXtcv>R%H{}{Evn^Oy%
k6Pg5)B?w;1qQXiIjDu?pOGF&B|DN9B$KqjnWP2TTw0KP(t;$H79=h$2&4ruX~CoglNL-`(CvRvTBuA~_!H8?cuDu``fcRM>kqW{fy;ND-W<ELy+V<%
T%^rmzmQxIBNx7vT==c6R}BK(9JxSi$OYb<T;P1<0w*UII8H89AQ$*glM9@WT;Sy70>{aP3giOsg<Rm|<O0XZg$m>XZ$K{aB)PywE||11@}lLEFGzL1
aHC&3nU@yiAuVu6THv^}AgQE<-nj6X1l!UA$E5|yCoM>FX+b8X1=)kN(7zBZX#s0M6Nb`)<dYU8xwIgY(t_+oT9D+@f=o&avVpW9lhT5iv=EyFOj<aI
v{0F}VA6s~3nneZx~WME@rz~B!gISx3(=o*?JJnHVA6s~3(x!hoV37@7O((*@RSy?293aj9q?cV{0|@jlNMgmLjT_}qy_#4X`wP{K}=fsi_*d%=o~^?
;BSx?Dw7t(q=gL9f`3)o-QX~`(!Zhq#cLs>7S>S<yg9YN`KSd>PAzbpT3}EMynkw8fwaI&qy_Ft3-WPkfqT+|<dYU8xwIg0X+a<@h)D~P-*3`_Ned<|
O#hg)VA8_668-tM(Yw-u>_}SRRMNuWtKvJ77R00lF=-*Cw9s-_Jc{(+mgq(;q@xyib83O}Q45@$THrXfz@Qd*|J1?)X@QqW3*3_y<m1u;_oM~MCoM>F
X+h%Bf<RgjlNKVs-=u}Flol$J7AAj8T1YM}JiZ@Tr>l=|3jRK2{Q_!XFrM>J3%ohC!1<^JPEIXwoLXQ|3!H&k`0ZDNia~&zlNNZ1w7@-SK|U@ma8Fv0
eA0p>mlh;0EeNCqF=-+4`%PLfY2mx2g-%N4pQ%+lX?pK-Icq=AvwYX-&9OV%D}MN8x?jzWnZyO&TwGui7v2#UejAgQiwm4jT;Sy50>{OL3gQCqMO@(I
;sVFTg$m*VZy+x4q`1IeD=vJIv>@+E3(}Dmc$u`oDlPC(T9Bu-ARTFemq`n((gH`M1&K=w0%<|=NehdIUx4k>mKJ!Kw7^r+f=o&avVpW9lhT5iv@rE@
ioCaZ!H-D`CM~?zUrbtfZZ~Nm`tv2yLS@o|Nec<2g=&}5LIG)^gtTz#NDCK83s*=BH%JRVCN0FJ1u<!1T3V<&|Mny;ut^JI(!yVq7R025X=$MjHK7x9
_989tACnd;lNR<bE%ZJF*Un7Vy)mofCp7=>Nm}4PCM}3b3x7*mK&O9n{P6tOzoGvPevV5ma6W2*lT!;ErxqC00`HAlct{JpL|Tv~(gLrN7G#OEP`x89
NL*SFNDE@pf=LS|Ets@m(!!{;P#jZQ=$06Jk{0-nNeg1q!v3X&Xo+5}F41-TXr;0zX@UQkv>+xe{4Hsriq++Bl<3E$7C0ZZz{#lvj#CQ^YJvAgEj*+J
ULq~X5@~@~Nei+>TBzQU79=h$2&4ruX~CoglNP>GTIi*vuRE)i(n5RY-jlSzsicLXKc4eQ3u4m3zNLkJ+8N$WS-*x_;C$2qC#M!TPAxE~1>PIA@Q@aG
iL@X~qy=6jEl6@{LE_SaKw1!!7ED^$skAVXVI5jp7*Y#wPljJYEpR?+fs<1U9H$l-)B>lc7K&fSWRJ;kfwUk?qy=6jEl6@{LE_SaKw1!!7ED^$T3Q%Z
Mem6V%U|T5-W<ELy%NR(&Mv?OHgI9#C=3WVslf%F1Q&P%aDgYm1^zy8VIyf_IQ+-Iw+%F*9+**Sf!9k5(vcRpCoRaVw7|cS7RIjagtQ<gEts_MacMz^
;qqNgTFCfg(t=3~|4dpiX<<fM=zs0mq=k;OP>Fnpw4f&{CM}q>kpF8OV$#C6v`{@hjjP(iVWov<RLv(X@aED&WzvF7N()v0&DY3k^^Tq29zTbc7P@&!
7HNSumlnjN1(}u>Itl8EcX&FF&m}GJ=F)<gv>;2Rg;s~?-O&Gr7h(_80xzK!_#JA2<J1C!THvjzg@?2t$)yE}OA7*NLG~jph)D~}e@t31X<=Q7{(RfW
q=m;vTE0SB=#&_Fqy^qwTBuA~kQr%VzC@3Fhi&R>Yw``!Lhr4EJkkPhE-i>j3o<P&BrVZ%NejHWv>+xe$Wm!xMTx!(YJrzf3;YhXz;SAUK`rps)WSnr
kmS;W#H9s+v>^MD7R025x$oJTw2)s~=&V*7NDJj3kQUmRMwv@m;LW84F=;`jrG?+6ti6tuOIqN~r3Eo*L6%AjD^k{7Pz$_-THtr61&&h-3~GV5rWPL3
f+Uv~BrYuoqy;f)VeisHkFJVrTP7{6dElnfLMwKK_b0>lbeK(A;8fB=+57hOVrfB4T99#Rq5F-<C6i(QiP!_Rz)PqFeurA%IJLl_7I<rF;UO(Za%n;0
(t<!*5R(@6EiHuSJHU&L<gnm3B$O7q)PhEtVo|^;cS9}k5^90pp%yq!EikAB&PFYiOGjZqz)3AF$fUF&CM|3)Ep!I%Jh;#q$VI=5M&1eNt7<($SE^|L
EEn|J@A4M7<1KK{Ti`GB7RqO@C>QLzk`0)W7R025ZKQ?j4QZh=X~CoglNL-`FloULK2vSdLQh(#I&V9gv|!SLNee0dV5XR~FfJ`<&@pM@?@J4uPg<xB
A}v(?w^3#6TOF})bVQ_u*Z47M;jc>zoKISiBS;Hf46MJh>@A$HkQO+fv>->57RFx8Pa-XFK50R|O<Gt+E$|Grz!7SJ<J1C!THxi>0;i%DCZz>2X<@-w
Hfh16g>@ymNef+Rp<7~@wD6au1<ofeR0ok3{QD*P^w-v^&Zm?QDlN!&NDG`#T96}13yDkg<4OyhPg;<pNee4V^ySh5=aUxX+oXkM)B?{?3ml;qI8H4v
s0Ch5EpRGoVNzNUlNMyryRIfJq>&a9r>voyvOYhkcqnN>zC&8zeA0p(Lt6M<%G&El$CVa1pR^!{kQOS5{aM5G(gNp`7UbKcg=N$N&rk~-p%yq!EikAB
UQR7=Dr#X;S`d>KV$#8Yu8M&OlhQ)xfz`4HB7>_I?3!Cz2=7jYYo&$L=F-CH9ch8{NeglaX`%Ho>m`$6|A|;EEpR?*LB35|SVk@I47I=!YJua_0)txM
<<tVFq828l1u<#iIaEWZRC+^NnB6r@f1mqJX`#g{w7##MURvPP(!%K}Ey!V{g+<iDX(6@1Gt>e{s0EHw3k+(3ms1OzidvYI7R025X-XmXpzasz-;x&E
)Iv4gYnM_Byn<TbIJLl_7I-<ez^SN(Nohg8P+E8z0{t%1dbP0C<z9PKtGET8;THJoxP{H6g_}tWCM}q>VA6s~3-3z{?f0KeS{O(R)w94BlNL-`*oU-G
{dH-f6Ld^k=t~RLQ(6#{7ED@*OAGvAX+g3{3rqf7W@klaq=naCAClus3u4m3Drtc~EG<YLX<_^majl!r!SGzf-s&}JVU@JNAC?v*x3p08`$qdk)R8az
??GDN4@(QO7iob%EG@_e(gMe+1)ilA*r<ikSMy9-Flk}7L^o+6A}zE_jKfO{V$#AYX@Ng1El4(LA!&&|7(Yjs7R025Rnh`~SXz)g(n8V_-K2#T(gJ^2
T97Q#LKXc6+tLz!7t#WMSXz+1NDKU7X+buS7C25V@GP~!-%Kr-w2((yNSv~UZp!-npyENL1u<!1m9)SgmKG$Bv@o8sh6O2WuOpeXutHkk4@(P@TUw~P
AH`pivhG4!;15d+vKMKAKP)ZC2GRn@sRf>;7Wmt!g*6$}3rC0@XYPT%6Bx#Jtv)F&bXG;$AJdzd42$+;`1~e{Nej!R1^%$KAi1T5L3S0H4EHE4@Q0-Z
*^9KmAC?wm18ITd)B?{^3;Y$-LPuI?-JE>oUf$VtdUJQ1-Z%Bl+Lp91xH%bc_9HFuhouGCi?qNWmKJ0KX@TR^0?$$ld}wN+CoM=zT8IRevCRdJQ;fWW
G}b?-rG?Y0mlo)ypOqFQue5NA_tGe}z_Zi>ADUX2k{0@1uAB{fr`R*VacY5QsRceZwa{Fy(?pjY?!O7QF#7rOiyry<>MYB&g@xFHNed<|n6zNh!rr6>
y=~G$L|S<LO(K&POj;QJ{w&ghOiBxU1Zm+JbWB=^NelYQ-hrhBF==5}(t=D%3!GJ2klx#)-S=Gwf0-!$#;os+pXN=_<4Ox+(!#E!1(}o<IG?o8<*8pQ
(*J-!`%R;cI%?9wo}>ktlomL*v=DzeU#312cTj0TCZz>FuCySN(gJTFEy$#_z~j;ah=m)ENei4(THsk}VKZpqGcVkY|2C5rOj<aWw4hnlfu#j8X<=8=
f=o&aoK;##R-zBa&vB&%F==5}(t=D%3!G0{NLHeow6F_lK_;aI&LS<0ePpg*qR0P0@Ij>onUogzxYB}5N(;P!v>=nx0*^}zAQo;sCM|GEX@O^@g^xlD
CM`%lX(3_C8oDX#^D~NvlNQ9Jg<VMtGAS)^K51cL${M;~1*(P}$)tr{NDDG4EpRqzVOYZ~O<4~rEy$#_z{iyqWKvq-4WtE`loohgS^%+d<1uN0S4ayo
CN1!+w2&QI=wwip^jBgTlyowv_Ho`yy`GO-y6g1jmD0j9WMRU4uDmA8*kl;w`L~5lTG*AeAd}Jp=a&}dC&TZM7GzRd;NwaQGAS+a2GW8|N(($LEr3|K
@tCy0E2IS(lNNYZTF3(}w5EX|?VFRY+{;_LPHqmpiDlTnv4B%Z`{sgxvx&6u(+3CANekV+FeNSUv809GiBCuiyn(bJlhOi@OA8<tZagL}@Cs=`#-s(F
l@`)M3omIw+T*l{l*luipHZNidkg8+Kev_^BrYvfkQVrTY2l}}eU-EzacQA~w7}!i0*Hkh_oanai{6$NWK3G9W~GI+&_YaF82ym&a%rLW*r>EnL0aH(
X`!5v7Pu`fRP!f_D?cJFRI}1T2U<w*1gw-6WK3G9#-xP-wD2>)4XU?We^F=wRKm!StH_ZTG7DnTf=LS|Ets^hKWRZ<{WNJIDlO<cjR%(&^s6E!Eo?6>
a9moD14#?dpkvZPOj>9ModZh?+9^$1*j`%TxU?X-rG=^$4W28H)yRqr-qC%%tJ)qvct`Z$(t=)JlNPp@7C0^~NOo!AIafqh9yf#Dkbyhe>PRLn>_S@L
xU?Xjmlj$*X!;BP$CMU0E-lF6r3H>l3$mTGz;S6oW~BwrAT6*;3*3_y{>@4Y8&V4<Ets@m(n30EL9?oZOAGq_G?Ny#mlilKEl6HzVWcKsTcQuf&#|Qi
y}l+bY%eWvTw0Lq(!y+s9u}79CN1njTHv^}AfJ~Oh9!Cx|HA(<r3H>l3vzgAf#cGGY$q*nTw0J>X@N6H3#`%t_oM|kD=mDMS}<uLpR|xLWewew_4ygb
LrM!xv2W7CE~EvHOAC@+T3DE}KEC(UPFZ^$$)tr{NDCa77UZMS!dofpL8S$bOAB&%X@TR?f@~)(a9moDS!sbYNDHje0{5f^nw1vvQw#pVD&Vh~3|Bfg
BN<dbHS0Xk&p&YauG5=GrG@A1;n(Q8lipxuWHJoTFF3U)!^crgTG&=v;JCCP`K5)$li_zr3mlgg<nYo0$E5|?PFmo&v>>z60;iM~KrGY;)5)+aEy%32
kcnD&MgAb&n-j0x%R9SHZw~E=X2CZdUje6(?#<bNb7X0O<I;j0URvO|v>@9_3mlggWL8?>l+pr-h5BF`a6&KO%t;H0sfCWT(7Si|;monkV<Bdyf2NQY
F29f#I4&*7w6t)^C@pYYT99dJ0WC@=Er3|452n4e==IV$X(2JSFfJ{;ANpR>!l`@Zqtb#*NedTT`8TA6`3q9w%9ncO%ifhAlNK(mYn75(IMoC64QT<y
!u<?Jqy>pd3zzzrTq04W2OPYAI-^IH`6DmH7ED?&Y2hzP3u4m3*GLQgSJFatTxp>t+8$Y2czy50q=oIJ1^EtX!T(BHsE#cyyn@bQr3KMH_-E3>4x|Oy
L|W+n{h_hd-b(+*>z&iV_&Kh$P_@R7NekOc3$mTGAg{kZ)LD`4-(KjvJX`fTQf1P@PNW6dKw79KJ{~vcmL67GkRwP7|7N6xDk3dNDrw<gDrrI1N(=uW
E&Lmk7XGb}7XF#EVA6s~3tulSJpN9|aixV;iDA;h4x|OyL|T}r$=8(VgYk1*Y2leao3yYCX+gG=78aH0Ay%Sy9%9nME~Ew7Kw6kB(W}XC!5>pvkRwP7
Zbn+DBGQ7Sk``PlX+hRX3l7qP8<Q5?3TeTav|!RgG)G;RvW9NT`uxn}p`?X&reV^;KBNWNPFi?osiB>x&Zn%sj%3opE~Ew7URsz+S*yqsaZG7Jjvy`2
jI>Ziqy<SOEl?_HLDotO1ZjcBqy<_bEztg@1-u5>F%q7ZLGR-`EzBSy9gIKF#~(PktCx<IFtvG9TJU;%_$|8br1$n@ShOd@#}<<owv`rSBWYpy;m6Ko
*zP#rAuY%eqy;}CEmRR{K~hNzK9#f}Yo!GbX~B<43;rEx!9!Z`W72}(R$6#?2%Vb~AFh*kcAfl~-eV%d6te_dD4tQK#VZtx0?v`81v!GW5aQCpRi%Y0
A}vTNX(6PN7G$lo5FjmtF=-*ZBP|3-3t>!J2%nV}s+Y9T`SfKGEv_dvV_PwZ5Y=S=EGK*ILTTX&X`xslEyypWg{w*nMJj1Q)=CQnq=jNkS}5L;779oU
#hA2E98g-2wbDY_l@@OO@9vi`Y2haGs(m9Zlw;CD`IfYBOCl|t)<_GdH>HKk>kQgguzd!TXLG*)d)@9GxsF2D`@i;)HJD8p3NLA43R?J>v>+xen6zNh
f=LS>lNRK-(n9O65*<}q=zdeiqy>`}Oj_7hTIdFyLrM#+vfreIFP9d2Z;#3^J`*<>KSz}oUZ-l(!dFWRtuJ$QRysGkU8d@g*023cTKHONVd>idBVYJ8
X~CogZP9_Hg&wr<uLmv2o}mSk7ED?&X(5@k@JgEwD=l<N43ieVT3V2lUt8;qpQB0(t;))zg>RM?epjM*9%9nM*GdbswRtsFqMNi}(!#Sv2bLCk(1Pnh
3$in4!K4NGGtxpUWqp3;@nF)z>l95|_-bikMamj<=UzuLY2j<7g{3KLWzvF}wD7IcLJwM?9<(4kfEGHh0ans|L9lhR>fX~=5XK+qXC7EB$kMvWUqWf2
HR*--C&QvW89u*xV$#C5Nel7GZ}f#flNL-`_(Ex+2QBy>v>;nS3$4f>q<eGn!*%cNI=?v#Dzz&9*{s*JQ%LvbY``&TVQ139d6~4pCM`U-FK<y7S_nO8
K|TvDJTrx2cyBfRplbHW)kL^>Pg*!nN(-DyS~$NgEpTRO;k=Qw(1R9=9<(5zh88|3Eu3ehg>znMp$9FLJ!nBb4lTSdE&K*r=yM3qGnk|f8fD?Ew-X)q
#Vkz!a*_W5p1W+*
"""
